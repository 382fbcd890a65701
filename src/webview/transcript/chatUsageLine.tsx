import type { VNode } from "preact";
import { usageOfChat, convertChatUsageToText } from "../../chat/transcript/usage.ts";
import type { Transcript } from "../../chat/transcript/transcript.ts";
import { pageLanguage } from "../controls/numberText.ts";
import { usePage } from "../context/pageContext.ts";

/** What the whole chat has taken; from the second answer on, since the first says it of itself. */
export function ChatUsageLine({ transcript }: { readonly transcript: Transcript }): VNode | null {
  const { t } = usePage();
  if (transcript.turns.filter(({ kind }) => kind === "answer").length < 2) return null;
  return (
    <p class="chat-usage">
      {convertChatUsageToText(usageOfChat(transcript), { t, language: pageLanguage() })}
    </p>
  );
}
