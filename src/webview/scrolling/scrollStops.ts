/** What a box that may be too narrow for its content is read out as. */
const nameAttribute = "data-overflow-name";

let sizes: ResizeObserver | undefined;

/**
 * Makes a box a stop for the Tab key for as long as its only child is too wide for it, so that the arrow
 * keys can scroll it; `name` is read out there.
 */
export function watchOverflow(box: HTMLElement, name: string): void {
  box.setAttribute(nameAttribute, name);
  sizes ??= watchSizes();
  for (const element of sizedBy(box)) sizes.observe(element);
}

/** Each frame looks at all that is observed: so only what is laid out is, however much there is in all. */
function watchSizes(): ResizeObserver {
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) update(target.closest(`[${nameAttribute}]`));
  });
  document.addEventListener("contentvisibilityautostatechange", (event) => {
    const { target } = event;
    if (!(event instanceof ContentVisibilityAutoStateChangeEvent && target instanceof Element)) return;
    for (const box of target.querySelectorAll(`[${nameAttribute}]`)) {
      const isLaidOut = !event.skipped && box.checkVisibility({ contentVisibilityAuto: true });
      for (const element of sizedBy(box)) {
        if (isLaidOut) observer.observe(element);
        else observer.unobserve(element);
      }
    }
  });
  return observer;
}

function sizedBy(box: Element): readonly Element[] {
  return box.firstElementChild === null ? [box] : [box, box.firstElementChild];
}

function update(box: Element | null): void {
  const name = box?.getAttribute(nameAttribute);
  if (box === null || name === null || name === undefined) return;
  if (box.scrollWidth > box.clientWidth) {
    box.setAttribute("tabindex", "0");
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", name);
  } else {
    for (const attribute of ["tabindex", "role", "aria-label"]) box.removeAttribute(attribute);
  }
}
