import type { Attachment } from "../../chat/transcript/attachments.ts";
import type { Transcript } from "../../chat/transcript/transcript.ts";

/** What something is attached to: a chat with its next question. */
export interface AttachmentTarget {
  /** What goes along with the next question. */
  readonly attachments: readonly Attachment[];
  readonly session: { readonly transcript: Transcript };
  /** The prompt that the attachments were gathered for. */
  preparedPrompt: string | undefined;
  /** Adds what fits; gives the number of those that do not. */
  attach(added: readonly Attachment[]): number;
  detach(id: string): void;
  /** Cuts a text down to so many characters. */
  trim(id: string, characters: number): void;
}
