let sizes: ResizeObserver | undefined;
const names = new WeakMap<Element, string>();

/**
 * Makes a box a stop for the Tab key for as long as its only child is too wide for it, so that the arrow
 * keys can scroll it; `name` is read out there.
 */
export function watchOverflow(box: HTMLElement, name: string): void {
  names.set(box, name);
  sizes ??= new ResizeObserver((entries) => {
    for (const { target } of entries) update(names.has(target) ? target : target.parentElement);
  });
  sizes.observe(box);
  if (box.firstElementChild !== null) sizes.observe(box.firstElementChild);
}

function update(box: Element | null): void {
  const name = box === null ? undefined : names.get(box);
  if (box === null || name === undefined) return;
  if (box.scrollWidth > box.clientWidth) {
    box.setAttribute("tabindex", "0");
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", name);
  } else {
    for (const attribute of ["tabindex", "role", "aria-label"]) box.removeAttribute(attribute);
  }
}
