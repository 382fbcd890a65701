/** Holds the accessible name for a box that may become scrollable. */
const nameAttribute = "data-overflow-name";

let sizes: ResizeObserver | undefined;

/**
 * Makes a box a Tab stop while its only child is too wide for it. Arrow keys can scroll the box then. Screen readers
 * read `name` there.
 */
export function watchOverflow(box: HTMLElement, name: string): void {
  box.setAttribute(nameAttribute, name);
  sizes ??= watchSizes();
  for (const element of sizedBy(box)) sizes.observe(element);
}

/** Observes only boxes that are laid out, because each frame checks every observed element. */
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
