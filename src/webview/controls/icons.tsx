import type { VNode } from "preact";

/** An icon, hidden from screen readers. The text beside it or the button's accessible name says the same. */
export function Icon({ name }: { readonly name: IconName }): VNode {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={iconPaths[name]} />
    </svg>
  );
}

const iconPaths = {
  copy: "M5.5 2.5h8v9h-8zM3 4.5v9.5h7.5",
  retry: "M13 8a5 5 0 1 1-1.6-3.7M13.2 2v3h-3",
  retryWith: "M2.5 5h9.5M9.5 2.5L12 5 9.5 7.5M13.5 11H4M6.5 8.5L4 11l2.5 2.5",
  edit: "M3 13l.7-2.9 7.4-7.4 2.2 2.2-7.4 7.4zM9.8 4l2.2 2.2",
  previous: "M10 3.5L5.5 8l4.5 4.5",
  next: "M6 3.5L10.5 8 6 12.5",
  send: "M8 13.2V3M3.8 7L8 2.8 12.2 7",
  stop: "M4.5 4.5h7v7h-7z",
  down: "M8 3v9.5M4 8.6l4 4 4-4",
  connection: "M5.5 2v3.5M10.5 2v3.5M3.8 5.5h8.4v2a4.2 4.2 0 0 1-8.4 0zM8 11.7V14",
  effort: "M2.5 12.2a5.8 5.8 0 1 1 11 0M8 11.5l2.8-4.2M8 11.5v.01",
  attach: "M13 7.4l-5.3 5.3a3.2 3.2 0 0 1-4.5-4.5l5.9-5.9a2.1 2.1 0 0 1 3 3l-5.8 5.8a1 1 0 0 1-1.5-1.5l5-5",
  close: "M4 4l8 8M12 4l-8 8",
  file: "M4 1.8h5l3 3v9.4H4zM9 1.8v3h3",
  folder: "M1.8 3.5h4.4l1.5 1.8h6.5v7.7H1.8z",
  selection: "M2 4h8M2 8h12M2 12h6",
  symbol: "M8 1.8l5.6 3.1v6.2L8 14.2l-5.6-3.1V4.9zM2.4 4.9L8 8l5.6-3.1M8 8v6.2",
  problems: "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM8 5v3.6M8 10.7v.4",
  diff: "M8 2.5v6M5 5.5h6M5 12.5h6",
  terminal: "M2 3h12v10H2zM4.5 6l2 2-2 2M8.5 10.2h3",
  search: "M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.3 10.3L14 14",
  website: "M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2zM2 8h12M8 2c-3.4 3.4-3.4 8.6 0 12M8 2c3.4 3.4 3.4 8.6 0 12",
  text: "M3 4V3h10v1M8 3v10M6 13h4",
  image: "M2 3h12v10H2zM2 11l3.5-3.5 3 3L11 8l3 3M10.5 5.6v.01",
  pdf: "M4 1.8h5l3 3v9.4H4zM9 1.8v3h3M6.2 12V8.3h1.9a1.1 1.1 0 0 1 0 2.2H6.2",
  instructions: "M3 2.5h10v11H3zM5.5 5.5h5M5.5 8h5M5.5 10.5h3",
  command: "M9.5 3l-3 10",
  failure: "M8 2.3L14.2 13H1.8zM8 6.4v3.2M8 11v.6",
  insert: "M8 2v8M5 7.2L8 10.2l3-3M3 13.5h10",
  apply: "M3 4.5h10M3 8h4M3 11.5h3.5M8.8 10.8l2 2 3.2-4",
  save: "M4 2.5h5.2L12.5 6v7.5H4zM9 2.7V6h3.3M8.2 8v3.6M6.4 9.8H10",
  run: "M2.5 3h11v10h-11zM5 6.2L7 8l-2 1.8M8.2 10.4h2.8",
  check: "M3.5 8.5l3 3 6-7",
} as const;

/** The names of all icons. They include every kind of attachment. */
export type IconName = keyof typeof iconPaths;

const svg = "http://www.w3.org/2000/svg";

/** Creates an icon for use outside of the component tree. */
export function createIcon(name: IconName): SVGElement {
  const icon = document.createElementNS(svg, "svg");
  icon.setAttribute("class", "icon");
  icon.setAttribute("viewBox", "0 0 16 16");
  icon.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(svg, "path");
  path.setAttribute("d", iconPaths[name]);
  icon.append(path);
  return icon;
}
