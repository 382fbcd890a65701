import type { VNode } from "preact";
import type { QuestionTurn, UsedPrompt } from "../../chat/transcript/transcript.ts";
import { estimateAttachment, estimateTokens } from "../../chat/session/tokenEstimate.ts";
import { AttachmentList } from "../composer/attachmentList.tsx";
import { numberText } from "../controls/numberText.ts";
import { usePage } from "../context/pageContext.ts";

interface SentAlongProps {
  readonly turn: QuestionTurn;
  readonly charactersPerToken: number;
}

/** What was sent that was not typed: the prompt's text and the instructions, folded. */
export function SentAlong({ turn, charactersPerToken }: SentAlongProps): VNode | null {
  const { t } = usePage();
  const { prompt, instructions = [] } = turn;
  if (prompt === undefined && instructions.length === 0) return null;
  const names = [
    ...(prompt === undefined ? [] : [t("prompt {0}", `/${prompt.name}`)]),
    ...(instructions.length > 1
      ? [t("{0} instructions", instructions.length)]
      : instructions.map(({ name }) => name)),
  ];
  const tokens = instructions.reduce(
    (sum, each) => sum + estimateAttachment(each, charactersPerToken),
    estimateTokens(prompt?.text.length ?? 0, charactersPerToken),
  );
  return (
    <details class="sent-along">
      <summary>{t("Sent: {0} (about {1} tokens)", names.join(", "), numberText(tokens))}</summary>
      {prompt !== undefined && <PromptText prompt={prompt} />}
      <AttachmentList
        attachments={instructions}
        charactersPerToken={charactersPerToken}
        turnId={turn.id}
        label={t("Instructions")}
      />
    </details>
  );
}

function PromptText({ prompt }: { readonly prompt: UsedPrompt }): VNode {
  const { model, t } = usePage();
  const { text, place, ignored = [] } = prompt;
  return (
    <>
      {place !== undefined && (
        <button
          type="button"
          class="link-button"
          onClick={() => model.post({ type: "open-file", name: place.path })}
        >
          {place.path}
        </button>
      )}
      <div class="sent-text" dir="auto">
        {text}
      </div>
      {ignored.length > 0 && <p class="quiet">{t("Not used here: {0}.", ignored.join(", "))}</p>}
    </>
  );
}
