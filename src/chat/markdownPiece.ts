/** A part of a Markdown text that can be parsed by itself, or says where the parts behind it belong. */
export type MarkdownPiece =
  /** One or more whole blocks. */
  | { readonly type: "block"; readonly text: string }
  | ListItemPiece
  | { readonly type: "quote-start" }
  /** The list item or quote ends that was opened last and is still open. */
  | { readonly type: "container-end" }
  /** The list of the open item sets its texts apart. */
  | { readonly type: "loosen" }
  /** Rows under `head` (the header and delimiter lines); the first piece of a table has no row. */
  | { readonly type: "table-rows"; readonly head: string; readonly text: string; readonly first: boolean }
  /** A code block; its lines follow, joined by line breaks, without the last one. */
  | { readonly type: "code-start"; readonly info: string }
  | { readonly type: "code-text"; readonly text: string }
  | { readonly type: "code-end" };

/** Belongs to the list ahead of it, unless `first`. `loose`: a blank line stands ahead of it. */
export interface ListItemPiece {
  readonly type: "list-item";
  /** The item's mark with its first block, which may be missing. */
  readonly text: string;
  readonly first: boolean;
  readonly loose: boolean;
  /** More blocks of the item follow, up to its `container-end`. */
  readonly open: boolean;
}

/** The Markdown text of a piece, complete enough to be parsed by itself. */
export function sourceOf(piece: MarkdownPiece): string {
  switch (piece.type) {
    case "table-rows":
      return piece.text === "" ? piece.head : `${piece.head}\n${piece.text}`;
    case "block":
    case "list-item":
    case "code-text":
      return piece.text;
    case "code-start":
    case "code-end":
    case "quote-start":
    case "container-end":
    case "loosen":
      return "";
  }
}
