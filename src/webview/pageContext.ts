import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Translate } from "../l10n.ts";
import type { PageModel } from "./pageModel.ts";

/** What every part of the page needs. */
export interface PageServices {
  readonly model: Pick<
    PageModel,
    | "post"
    | "postHere"
    | "listenToOffers"
    | "announce"
    | "views"
    | "send"
    | "sendEdit"
    | "keepDraft"
    | "editOf"
    | "takeNews"
    | "keepPlace"
    | "arrives"
    | "codeBlocks"
  >;
  readonly t: Translate;
  readonly focusComposer: () => void;
}

export const PageContext = createContext<PageServices | undefined>(undefined);

/** Whether an answer arrives on the screen; apart, since only who asks is rendered anew by it. */
export const ArrivesContext = createContext(false);

export function usePage(): PageServices {
  const services = useContext(PageContext);
  if (services === undefined) {
    throw new Error("A part of the page stands outside of it.");
  }
  return services;
}
