/** Something that can be attached, as the page lists it behind `#`. */
export interface ContextOffer {
  /** Handed back to attach it. */
  readonly id: string;
  readonly label: string;
  readonly description: string;
}

/** What is asked of the host about attachments. */
export type ContextRequest =
  /** Asks what to attach in the editor's own list. */
  | { readonly type: "choose" }
  /** Attaches an offer. */
  | { readonly type: "attach"; readonly offerId: string }
  /**
   * Asks for offers, and for none of the search before; answered by `context-offers`, again where more is
   * known or the files have changed.
   */
  | { readonly type: "find"; readonly searchId: number; readonly typed: string }
  /** The list was closed: what was asked for is not needed any more. */
  | { readonly type: "stop-finding" }
  /** Dropped files and folders of the editor. */
  | { readonly type: "attach-uris"; readonly uris: readonly string[] }
  /** Dropped or pasted files of the system; `data` is base64. */
  | { readonly type: "attach-data"; readonly name: string; readonly mediaType: string; readonly data: string }
  /** A dropped or pasted file that is too large to be handed over or, without its size, could not be read. */
  | { readonly type: "refuse-data"; readonly name: string; readonly bytes?: number }
  /** So many that were dropped or pasted are more than one question takes. */
  | { readonly type: "refuse-rest"; readonly count: number }
  | { readonly type: "attach-text"; readonly text: string }
  | { readonly type: "remove"; readonly id: string }
  | { readonly type: "trim"; readonly id: string }
  /** With a turn, an attachment of that question; else one of the composer. */
  | { readonly type: "open"; readonly id: string; readonly turnId?: string };

/** An attachment above so many estimated tokens is offered trimmed to as many. */
export const trimmedTokens = 4000;
/** A pasted text from here on is offered as an attachment. */
export const longPaste = 4000;
