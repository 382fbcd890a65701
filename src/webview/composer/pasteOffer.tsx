import type { VNode } from "preact";
import { usePage } from "../context/pageContext.ts";
import { IconButton } from "../controls/icons.tsx";

export interface PasteOfferProps {
  /** The text that was pasted. */
  readonly pasted: string;
  /** What stands in the composer now. */
  readonly text: string;
  readonly type: (text: string) => void;
  readonly onDone: () => void;
}

/** Offers to attach a long pasted text, as long as it stands in the composer. */
export function PasteOffer({ pasted, text, type, onDone }: PasteOfferProps): VNode | null {
  const { model, t, focusComposer } = usePage();
  // A text box knows one kind of line end.
  const shown = pasted.replaceAll(/\r\n?/g, "\n");
  const start = text.indexOf(shown);
  if (start < 0) return null;
  const attach = (): void => {
    type(text.slice(0, start) + text.slice(start + shown.length));
    model.post({ type: "context", request: { type: "attach-text", text: pasted } });
    onDone();
    focusComposer();
  };
  return (
    <div class="paste-offer" role="status">
      <span>{t("Pasted a long text.")}</span>
      <button type="button" class="link-button" onClick={attach}>
        {t("Attach Instead")}
      </button>
      <IconButton
        name={t("Keep as Text")}
        icon="close"
        onClick={() => {
          onDone();
          focusComposer();
        }}
      />
    </div>
  );
}
