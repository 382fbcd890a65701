import { useContext, useEffect, useState } from "preact/hooks";
import { numberText } from "../controls/numberText.ts";
import { ArrivesContext, usePage } from "../context/pageContext.ts";
import { sendRefusal } from "./sendRefusal.ts";

/** Why what stands in a box was not sent. */
export interface Refusal {
  readonly note: string | undefined;
  readonly forget: () => void;
  /** Whether the text must not be sent, which is said. */
  readonly refuses: (text: string) => boolean;
}

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
