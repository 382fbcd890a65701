import type { Attachment } from "../../chat/transcript/attachments.ts";
import type { SentAlong } from "../../chat/session/chatSession.ts";
import { joinAttachments } from "../../chat/transcript/joinAttachments.ts";
import type { QuestionToCount } from "../../chat/session/spentTokens.ts";
import { tellRefusals } from "../attachments/gathered.ts";
import type { ChatContext } from "../attachments/chatContext.ts";
import type { OutgoingTexts } from "../service/outgoingTexts.ts";
import type { ChatPrompts } from "../prompts/chatPrompts.ts";
import type { Chat } from "./chat.ts";

export interface QuestionPreparers {
  readonly prompts: ChatPrompts;
  readonly outgoing: OutgoingTexts;
  readonly context: ChatContext;
}

/** What goes along with a question that is not the composer's: the composer keeps its own. */
export interface GivenAlong {
  readonly attachments: readonly Attachment[];
  /** The prompt that they were gathered for before; what was taken off again stays off. */
  readonly preparedPrompt?: string | undefined;
}

/** All that a question needs, so that it can be sent without a further wait. */
export interface PreparedQuestion {
  /** Where it is to be asked; a new chat is not on the screen yet. */
  readonly target: Chat;
  readonly text: string;
  readonly along: SentAlong;
  /** Those that were given with what the prompt adds; absent where they are the composer's. */
  readonly attachments?: readonly Attachment[];
}

/**
 * Makes a question of what was typed: a prompt's text and attachments, the instructions, no key in it.
 * What a prompt brings along for the composer is attached there, so that it is there still where the
 * question cannot be sent. Undefined where it is not to be sent; nothing is lost then.
 */
export async function prepareQuestion(
  { prompts, outgoing, context }: QuestionPreparers,
  chat: Chat,
  typed: string,
  given: GivenAlong | undefined,
  chooseTarget: (question: QuestionToCount) => Promise<Chat | undefined>,
): Promise<PreparedQuestion | undefined> {
  await prompts.settled();
  // What the composer's own are attached with may still be gathered; a question with its own waits for none.
  if (given === undefined) await context.settled(chat);
  const { attachments: attached, preparedPrompt } = given ?? chat;
  const prepared = await prompts.prepare(typed, attached, preparedPrompt);
  if (prepared === undefined) return undefined;
  const { prompt, added } = prepared;
  const all = joinAttachments(attached, added.attachments).attachments;
  // Read before the caps are asked, which count them.
  const instructions = await prompts.instructionsFor(all);
  const target = await chooseTarget({ text: prompt?.text ?? typed, attachments: all, instructions });
  if (target === undefined) return undefined;
  const text = await outgoing.cleanQuestion(typed);
  // What was typed stands in the prompt as well: a key in it is told of once.
  const promptText = prompt && (await outgoing.cleanQuestion(prompt.text, text === typed));
  if (given === undefined) await context.attach(added, chat);
  else tellRefusals(added.refusals);
  return {
    target,
    text,
    along: {
      instructions,
      ...(prompt === undefined ? {} : { prompt: { ...prompt, text: promptText ?? prompt.text } }),
    },
    ...(given === undefined ? {} : { attachments: all }),
  };
}
