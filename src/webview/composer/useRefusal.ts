import { useContext, useEffect, useState } from "preact/hooks";
import { numberText } from "../controls/numberText.ts";
import { ArrivesContext, usePage } from "../context/pageContext.ts";
import { maxTextLength } from "../../chat/page/protocol.ts";
import type { Translate } from "../../text/translate.ts";

/** The reason why the text of a box was not sent. */
export interface Refusal {
  readonly note: string | undefined;
  readonly forget: () => void;
  /** Whether the text cannot be sent now. Shows and announces the reason. */
  readonly refuses: (text: string) => boolean;
}

/**
 * Shows why a text was not sent, until the text or the reason changes.
 *
 * @param canQueue whether a streaming answer with tools can take the text
 */
export function useRefusal(canQueue = false): Refusal {
  const { model, t } = usePage();
  const arrives = useContext(ArrivesContext);
  const [shown, setShown] = useState<{ readonly note: string | undefined; readonly arrives: boolean }>();
  // The reason may have been the streaming answer, which has ended.
  useEffect(() => setShown((before) => (before?.arrives === arrives ? before : undefined)), [arrives]);
  const refuses = (text: string): boolean => {
    const mustWait = model.arrives && !(canQueue && model.takesMessages);
    const note = sendRefusal(text, mustWait, t, numberText);
    setShown({ note, arrives: model.arrives });
    if (note !== undefined) model.announce(note);
    return note !== undefined;
  };
  return { note: shown?.note, forget: () => setShown(undefined), refuses };
}

/** Why this text cannot be sent now, in the user's language; undefined if it can be sent. */
export function sendRefusal(
  text: string,
  arrives: boolean,
  t: Translate,
  writeNumber: (value: number) => string,
): string | undefined {
  if (arrives) return t("Wait for the current answer to finish. Your message stays here until you send it.");
  if (text.length <= maxTextLength) return undefined;
  return t(
    "Your message is too long ({0} characters, the limit is {1}). Shorten it, or attach the text as a file.",
    writeNumber(text.length),
    writeNumber(maxTextLength),
  );
}
