import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Translate } from "../../text/translate.ts";
import type { FromWebview, ToWebview } from "../../chat/page/protocol.ts";
import type { ReadingPlace } from "./host.ts";

export interface DrawnCode {
  readonly element: Element;
  readonly text: string;
  /** The info string: the text after the opening fence. */
  readonly info: string;
  readonly language: string;
}

/** The actions that components of the page use; implemented by `PageModel`. */
export interface PageActions {
  /** True while an answer streams, even before it is on the screen. */
  readonly arrives: boolean;
  /** Whether the streaming answer sends a message with its next request. */
  readonly takesMessages: boolean;
  readonly views: {
    elementOf(answerId: string, field: "text" | "reasoning", part: number): HTMLElement | undefined;
    /** Shows the output of the running call. */
    readonly output: HTMLElement;
  };
  readonly codeBlocks: { around(element: Element): DrawnCode | undefined };
  post(message: FromWebview): void;
  /** Posts to the chat that was on the screen when this property was read. */
  readonly postHere: (message: FromWebview) => void;
  /** Returns a function that removes the listener. */
  listenToOffers(listener: OffersListener): () => void;
  /** Makes a screen reader say the text. */
  announce(message: string): void;
  /** Whether the answer ended while on this screen; true only for the first call. */
  consumeNews(turnId: string): boolean;
  /** Saves the reading place; undefined means the end. */
  savePlace(place: ReadingPlace | undefined): void;
  /** The unsent edit of a question; undefined if there is none. */
  editOf(turnId: string): string | undefined;
  saveDraft(draft: string, turnId?: string): void;
  send(text: string): void;
  sendEdit(turnId: string, text: string): void;
}

/** Receives the host's offers for a search in the composer. */
export type OffersListener = (answer: Extract<ToWebview, { readonly type: "context-offers" }>) => void;

/** Services that every part of the page needs. */
export interface PageServices {
  readonly model: PageActions;
  readonly t: Translate;
  readonly focusComposer: () => void;
}

/** Provides the services to all components of the page; read it with `usePage`. */
export const PageContext = createContext<PageServices | undefined>(undefined);

/** True while an answer streams. A separate context, so that only components that read it render again. */
export const ArrivesContext = createContext(false);

/** Returns the services of the page. Throws if the component is not inside `PageContext`. */
export function usePage(): PageServices {
  const services = useContext(PageContext);
  if (services === undefined) {
    throw new Error("A component is rendered outside PageContext.");
  }
  return services;
}
