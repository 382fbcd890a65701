import { isDeepStrictEqual } from "node:util";
import * as v from "valibot";
import { type Attachment, contentLength } from "../transcript/attachments.ts";
import { attachmentSchema } from "../transcript/transcriptSchema.ts";
import { MergedJsonFile } from "./mergedJsonFile.ts";
import { readPromptCommand } from "../prompts/promptCommand.ts";

/** Characters; of a longer draft the last one that was no longer is kept. */
const maxDraftLength = 1024 * 1024;
const maxDraftCharacters = 4 * maxDraftLength;
/** Characters of a chat's attachments, contents included; what goes beyond is kept while the window is open. */
const maxAttachmentsLength = 4 * 1024 * 1024;
const maxAttachmentCharacters = 2 * maxAttachmentsLength;

/** Stands between a chat and the question that a text is to replace; no chat's own name has it. */
const editMark = "#";
/** In the place of such a question, none of which is called so: older versions of the extension read the same file. */
const preparedName = "/prompt";

/** What a chat holds that was not sent. */
export interface UnsentContent {
  readonly draft: string;
  readonly attachments: readonly Attachment[];
  /** Texts that are to take the place of questions, by the question's turn. */
  readonly edits: Readonly<Record<string, string>>;
  /** The prompt that the attachments were gathered for; empty where they were for none. */
  readonly preparedPrompt: string;
}

/** Takes keys out of what is not sent yet. */
export interface UnsentCleaner {
  readonly cleanText: (text: string) => string;
  readonly cleanAttachments: (attachments: readonly Attachment[]) => readonly Attachment[];
}

/**
 * What a workspace keeps of its open chats beside the conversations themselves. Files of its own, since
 * the editor writes its state only now and then, and a window may close at any moment. Attachments have
 * one to themselves: the other is written at each key.
 */
export class DraftStore {
  readonly #drafts: MergedJsonFile<string>;
  readonly #attachments: MergedJsonFile<readonly Attachment[]>;

  private constructor(drafts: MergedJsonFile<string>, attachments: MergedJsonFile<readonly Attachment[]>) {
    this.#drafts = drafts;
    this.#attachments = attachments;
  }

  /** The path is that of the drafts; the attachments are kept beside it. */
  static async open(path: string, now: () => Date): Promise<DraftStore> {
    const [drafts, attachments] = await Promise.all([
      MergedJsonFile.open<string>({
        path,
        schema: v.string(),
        maxCharacters: maxDraftCharacters,
        sizeOf: (draft) => draft.length,
        now,
      }),
      MergedJsonFile.open<readonly Attachment[]>({
        path: path.replace(/(?:\.json)?$/u, "-attached.json"),
        schema: v.array(attachmentSchema),
        maxCharacters: maxAttachmentCharacters,
        sizeOf: (kept) => kept.reduce((sum, each) => sum + contentLength(each), 0),
        now,
      }),
    ]);
    return new DraftStore(drafts, attachments);
  }

  get viewChat(): string | undefined {
    return this.#drafts.viewChat;
  }

  saveViewChat(chatId: string): void {
    this.#drafts.setViewChat(chatId);
  }

  draftOf(chatId: string): string {
    return this.#drafts.get(chatId) ?? "";
  }

  saveDraft(chatId: string, draft: string): void {
    if (draft.length > maxDraftLength) return;
    this.#drafts.set(chatId, draft.trim() === "" ? undefined : draft);
  }

  /** Texts that are to take the place of questions, by the question's turn. */
  editsOf(chatId: string): Readonly<Record<string, string>> {
    const start = `${chatId}${editMark}`;
    const turnIds = this.#drafts.ids
      .filter((key) => key.startsWith(start))
      .map((key) => key.slice(start.length))
      .filter((turnId) => turnId !== preparedName);
    return Object.fromEntries(turnIds.map((turnId) => [turnId, this.#editOf(chatId, turnId)]));
  }

  saveEdit(chatId: string, turnId: string, text: string): void {
    this.saveDraft(`${chatId}${editMark}${turnId}`, text);
  }

  /** The prompt that the chat's draft begins with, where its attachments were gathered already. */
  preparedPromptOf(chatId: string): string | undefined {
    const name = this.#editOf(chatId, preparedName);
    return readPromptCommand(this.draftOf(chatId))?.name === name ? name : undefined;
  }

  savePreparedPrompt(chatId: string, name: string): void {
    this.saveEdit(chatId, preparedName, name);
  }

  attachmentsOf(chatId: string): readonly Attachment[] {
    return this.#attachments.get(chatId) ?? [];
  }

  saveAttachments(chatId: string, attachments: readonly Attachment[]): void {
    let room = maxAttachmentsLength;
    const fitting = attachments.filter((each) => {
      const fits = contentLength(each) <= room;
      if (fits) room -= contentLength(each);
      return fits;
    });
    this.#attachments.set(chatId, fitting.length === 0 ? undefined : fitting);
  }

  /** The chats for which something is kept, the newest first. */
  get chatIds(): readonly string[] {
    const drafted = this.#drafts.ids.filter((key) => !key.includes(editMark));
    return [...new Set([...this.#attachments.ids, ...drafted].toReversed())];
  }

  /** Keeps nothing of this chat any longer, and gives what was kept. */
  forget(chatId: string): UnsentContent {
    const things = {
      draft: this.draftOf(chatId),
      attachments: this.attachmentsOf(chatId),
      edits: this.editsOf(chatId),
      preparedPrompt: this.#editOf(chatId, preparedName),
    };
    for (const turnId of Object.keys(things.edits)) this.saveEdit(chatId, turnId, "");
    this.savePreparedPrompt(chatId, "");
    this.saveDraft(chatId, "");
    this.saveAttachments(chatId, []);
    return things;
  }

  /** Keeps again what was forgotten. */
  restore(chatId: string, { draft, attachments, edits, preparedPrompt }: UnsentContent): void {
    for (const [turnId, text] of Object.entries(edits)) this.saveEdit(chatId, turnId, text);
    if (preparedPrompt !== "") this.savePreparedPrompt(chatId, preparedPrompt);
    if (draft !== "") this.saveDraft(chatId, draft);
    if (attachments.length > 0) this.saveAttachments(chatId, attachments);
  }

  /** Keeps without keys what holds one that was not known when it was kept. */
  clean(cleaner: UnsentCleaner): void {
    for (const key of this.#drafts.ids) {
      const draft = this.draftOf(key);
      const clean = cleaner.cleanText(draft);
      if (clean !== draft) this.saveDraft(key, clean);
    }
    for (const chatId of this.#attachments.ids) {
      const attachments = this.attachmentsOf(chatId);
      const clean = cleaner.cleanAttachments(attachments);
      if (!isDeepStrictEqual(clean, attachments)) this.saveAttachments(chatId, clean);
    }
  }

  /** Resolves when all of it is written. */
  async close(): Promise<void> {
    await Promise.all([this.#drafts.close(), this.#attachments.close()]);
  }

  #editOf(chatId: string, turnId: string): string {
    return this.draftOf(`${chatId}${editMark}${turnId}`);
  }
}
