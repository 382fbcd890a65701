import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Translate } from "../../text/translate.ts";
import type { FromWebview, ToWebview } from "../../chat/page/protocol.ts";
import type { ReadingPlace } from "./host.ts";

/** A code block on the screen. */
export interface DrawnCode {
  readonly element: Element;
  readonly text: string;
  /** What stands behind the fence's mark. */
  readonly info: string;
  readonly language: string;
}

/** What the parts of a page do with it. `PageModel` does all of it. */
export interface PageActions {
  /** Whether an answer arrives, also before it is on the screen. */
  readonly arrives: boolean;
  readonly views: { elementOf(answerId: string, field: "text" | "reasoning"): HTMLElement | undefined };
  readonly codeBlocks: { around(element: Element): DrawnCode | undefined };
  post(message: FromWebview): void;
  /** The same, unless the page has gone on to another chat by then. */
  readonly postHere: (message: FromWebview) => void;
  /** The result ends it. */
  listenToOffers(listener: OffersListener): () => void;
  /** Says a text to a screen reader. */
  announce(message: string): void;
  /** Whether the answer has ended on this screen, asked for the first time. */
  consumeNews(turnId: string): boolean;
  /** Keeps where one reads; undefined at the end. */
  savePlace(place: ReadingPlace | undefined): void;
  /** What was typed into the editor of a question. */
  editOf(turnId: string): string | undefined;
  saveDraft(draft: string, turnId?: string): void;
  send(text: string): void;
  sendEdit(turnId: string, text: string): void;
}

/** Gets what the host offers for a search of the composer. */
export type OffersListener = (answer: Extract<ToWebview, { readonly type: "context-offers" }>) => void;

/** What every part of the page needs. */
export interface PageServices {
  readonly model: PageActions;
  readonly t: Translate;
  readonly focusComposer: () => void;
}

/** The services of the page, for all parts below it; `usePage` reads them. */
export const PageContext = createContext<PageServices | undefined>(undefined);

/** Whether an answer arrives on the screen; apart, since only who asks is rendered anew by it. */
export const ArrivesContext = createContext(false);

/** The services of the page. Throws where a part stands outside of it. */
export function usePage(): PageServices {
  const services = useContext(PageContext);
  if (services === undefined) {
    throw new Error("A part of the page stands outside of it.");
  }
  return services;
}
