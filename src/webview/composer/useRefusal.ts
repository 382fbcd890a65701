import { useContext, useEffect, useState } from "preact/hooks";
import { numberText } from "../controls/numberText.ts";
import { ArrivesContext, usePage } from "../context/pageContext.ts";
import { maxTextLength } from "../../chat/page/protocol.ts";
import type { Translate } from "../../text/translate.ts";

/** Why what stands in a box was not sent. */
export interface Refusal {
  readonly note: string | undefined;
  readonly forget: () => void;
  /** Whether the text must not be sent, which is said. */
  readonly refuses: (text: string) => boolean;
}

/** Tells of a box why its text is not sent, until the text or the reason has changed. */
export function useRefusal(): Refusal {
  const { model, t } = usePage();
  const arrives = useContext(ArrivesContext);
  const [shown, setShown] = useState<{ readonly note: string | undefined; readonly arrives: boolean }>();
  // It may be over with the answer that was in the way.
  useEffect(() => setShown((before) => (before?.arrives === arrives ? before : undefined)), [arrives]);
  const refuses = (text: string): boolean => {
    const note = sendRefusal(text, model.arrives, t, numberText);
    setShown({ note, arrives: model.arrives });
    if (note !== undefined) model.announce(note);
    return note !== undefined;
  };
  return { note: shown?.note, forget: () => setShown(undefined), refuses };
}

/** Why this text cannot be sent now, in the user's language; undefined where it can. It stays where it was typed. */
export function sendRefusal(
  text: string,
  arrives: boolean,
  t: Translate,
  writeNumber: (value: number) => string,
): string | undefined {
  if (arrives) return t("Wait for the current answer to finish. Your message stays here until you send it.");
  if (text.length <= maxTextLength) return undefined;
  return t(
    "Too long to send ({0} characters, the limit is {1}). Shorten your message, or attach it as a file.",
    writeNumber(text.length),
    writeNumber(maxTextLength),
  );
}
