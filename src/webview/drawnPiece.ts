import type { MarkdownPiece } from "../chat/markdownPiece.ts";

/** A longer table goes on in another with the same header: the cost of a row grows with its table. */
const mostRows = 150;
/** A longer list goes on in another, with the number that is next. */
const mostItems = 200;

/** The nodes of a piece. `members` stand inside `container`: items of a list, rows of a table. */
export interface DrawnPiece {
  readonly container: Element | undefined;
  readonly members: readonly ChildNode[];
  readonly others: readonly ChildNode[];
}

export function takeApart(piece: MarkdownPiece, fragment: DocumentFragment): DrawnPiece {
  const [container, ...others] = Array.from(fragment.children);
  if (container !== undefined && piece.type === "list-item" && /^[UO]L$/.test(container.tagName)) {
    return { container, members: [...container.children], others };
  }
  if (container !== undefined && piece.type === "table-rows" && container.className === "table-frame") {
    const rows = container.querySelectorAll(piece.first ? "tr" : "tbody > tr");
    return { container, members: [...rows], others };
  }
  return { container: undefined, members: [], others: [...fragment.childNodes] };
}

/** The list or table behind which the piece goes on, if `last` is one. */
export function findJoint(
  piece: MarkdownPiece,
  drawn: DrawnPiece,
  last: Element | null,
): Element | undefined {
  if (last === null || drawn.container === undefined || !("first" in piece) || piece.first) {
    return undefined;
  }
  if (piece.type === "list-item") {
    return last.tagName === drawn.container.tagName && last.childElementCount < mostItems ? last : undefined;
  }
  const table = last.querySelector(":scope > table");
  if (!(table instanceof HTMLTableElement) || table.rows.length > mostRows) {
    return undefined;
  }
  return table.tBodies[0] ?? table.createTBody();
}

/** True where the piece sets space between the items of the list that it belongs to. */
export function isLoose(piece: MarkdownPiece, drawn: DrawnPiece): boolean {
  return piece.type === "list-item" && (piece.loose || drawn.container?.hasAttribute("data-loose") === true);
}

/** Neighbours that a later link definition may change: of an open item what it had when it was drawn. */
export function changeableNodes(
  piece: MarkdownPiece,
  { members, others }: DrawnPiece,
): readonly (readonly ChildNode[])[] {
  const [item] = members;
  const inList = piece.type === "list-item" && piece.open && item !== undefined ? item.childNodes : members;
  return [[...inList], [...others]];
}

export function replaceNodes(nodes: readonly ChildNode[], fresh: readonly ChildNode[]): void {
  nodes[0]?.before(...fresh);
  for (const node of nodes) node.remove();
}

/** True where the Markdown text has a label in brackets that is one of those meant. */
export function mentionsAny(text: string, isMeant: (label: string) => boolean): boolean {
  for (const [, label] of text.matchAll(/\[([^[\]]+)\]/g)) {
    if (label !== undefined && isMeant(label.trim().toLowerCase().replaceAll(/\s+/g, " "))) {
      return true;
    }
  }
  return false;
}
