import type { VNode } from "preact";
import { useId } from "preact/hooks";
import type { Sending } from "../../chat/transcript/sentTurns.ts";
import { usePage } from "../context/pageContext.ts";

interface SendingNoteProps {
  readonly turnId: string;
  readonly sending: Sending;
}

/** Says whether later questions send this one, whose answer failed, and lets the person choose. */
export function SendingNote({ turnId, sending }: SendingNoteProps): VNode {
  const { model, t } = usePage();
  const noteId = useId();
  const texts: Readonly<Record<Sending, string>> = {
    "left-out": t("Not sent with later questions, because its answer failed."),
    included: t("Sent with later questions, although its answer failed."),
  };
  const isLeftOut = sending === "left-out";
  const choose = (): void => {
    model.post({ type: "include", turnId, included: isLeftOut });
    model.announce(texts[isLeftOut ? "included" : "left-out"]);
  };
  return (
    <div class="sending">
      <span id={noteId}>{texts[sending]}</span>
      <button type="button" class="link-button" aria-describedby={noteId} onClick={choose}>
        {isLeftOut ? t("Include Question") : t("Leave Out Question")}
      </button>
    </div>
  );
}
