import type { Message } from "../../protocol/conversation/conversation.ts";
import type { Turn } from "../transcript/transcript.ts";

const introduction =
  "The user asks you to follow these instructions in this conversation. Where two disagree, the later one counts.";

/** The instructions of the last question as system text: a request has one set of them, the newest. */
export function convertInstructions(turns: readonly Turn[]): readonly Message[] {
  const question = turns.findLast((turn) => turn.kind === "question");
  const texts = (question?.instructions ?? []).flatMap(({ name, content }) =>
    content?.type === "text"
      ? [
          `<instructions source="${name.replaceAll(/["<>&\r\n]/g, "_")}">\n${content.text.trim()}\n</instructions>`,
        ]
      : [],
  );
  if (texts.length === 0) return [];
  return [{ role: "system", content: [{ type: "text", text: [introduction, ...texts].join("\n\n") }] }];
}
