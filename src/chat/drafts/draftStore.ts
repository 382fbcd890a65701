import { isDeepStrictEqual } from "node:util";
import * as v from "valibot";
import { type Attachment, contentLength } from "../transcript/attachments.ts";
import { type ChatMode, chatModes } from "../transcript/steps.ts";
import { attachmentSchema, chatSelectionSchema } from "../transcript/transcriptSchema.ts";
import type { ChatSelection } from "../transcript/transcript.ts";
import { parseJson } from "../../protocol/conversation/json.ts";
import { MergedJsonFile } from "./mergedJsonFile.ts";
import { readPromptCommand } from "../prompts/promptCommand.ts";

/** Maximum UTF-16 units of a draft. A longer draft is not saved, so the last shorter version remains. */
const maxDraftLength = 1024 * 1024;
const maxDraftCharacters = 4 * maxDraftLength;
/** Maximum UTF-16 units of a chat's attachments, with contents. Further ones are not saved. */
const maxAttachmentsLength = 4 * 1024 * 1024;
const maxAttachmentCharacters = 2 * maxAttachmentsLength;

/** Separates the chat ID from the turn ID of an edited question. No chat ID contains this character. */
const editMark = "#";
/** Used instead of a turn ID; no turn has this ID. Older versions of the extension can still read the file. */
const preparedName = "/prompt";
/** Name of the entry with the selected mode. */
const modeName = "/mode";
/** Name of the entry with the selected connection and model, as JSON. */
const selectionName = "/selection";

/** The connection and model selected for a chat without a question. */
interface SavedSelection {
  readonly selection: ChatSelection;
  /** Number of selections of the workspace before this one. A later selection of the workspace replaces this one. */
  readonly after: number;
}

const savedSelectionSchema = v.object({
  selection: chatSelectionSchema,
  after: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
}) satisfies v.GenericSchema<unknown, SavedSelection>;

/** The unsent content of a chat. */
export interface UnsentContent {
  readonly draft: string;
  readonly attachments: readonly Attachment[];
  /** New texts for earlier questions, by turn ID. */
  readonly edits: Readonly<Record<string, string>>;
  /** Name of the prompt whose attachments were already collected, or empty. */
  readonly preparedPrompt: string;
  readonly selection?: SavedSelection;
}

/** Removes keys from unsent content. */
export interface UnsentCleaner {
  readonly cleanText: (text: string) => string;
  readonly cleanAttachments: (attachments: readonly Attachment[]) => readonly Attachment[];
}

/**
 * Saves the unsent content of a workspace's chats in two files. VS Code's state would be saved only now and then.
 * Attachments have a separate file, because drafts change at each keystroke.
 */
export class DraftStore {
  readonly #drafts: MergedJsonFile<string>;
  readonly #attachments: MergedJsonFile<readonly Attachment[]>;

  private constructor(drafts: MergedJsonFile<string>, attachments: MergedJsonFile<readonly Attachment[]>) {
    this.#drafts = drafts;
    this.#attachments = attachments;
  }

  /** Opens the store. `path` is the file of the drafts; the file of the attachments is next to it. */
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

  /** New texts for earlier questions, by turn ID. */
  editsOf(chatId: string): Readonly<Record<string, string>> {
    const start = `${chatId}${editMark}`;
    const turnIds = this.#drafts.ids
      .filter((key) => key.startsWith(start))
      .map((key) => key.slice(start.length))
      .filter((turnId) => ![preparedName, modeName, selectionName].includes(turnId));
    return Object.fromEntries(turnIds.map((turnId) => [turnId, this.#editOf(chatId, turnId)]));
  }

  saveEdit(chatId: string, turnId: string, text: string): void {
    this.saveDraft(`${chatId}${editMark}${turnId}`, text);
  }

  /** Name of the prompt at the start of the chat's draft, if the prompt's attachments were already collected. */
  preparedPromptOf(chatId: string): string | undefined {
    const name = this.#editOf(chatId, preparedName);
    return readPromptCommand(this.draftOf(chatId))?.name === name ? name : undefined;
  }

  savePreparedPrompt(chatId: string, name: string): void {
    this.saveEdit(chatId, preparedName, name);
  }

  /** The mode selected for the next question, if any. */
  modeOf(chatId: string): ChatMode | undefined {
    const kept = this.#editOf(chatId, modeName);
    return chatModes.find((mode) => mode === kept);
  }

  saveMode(chatId: string, mode: ChatMode | undefined): void {
    this.saveEdit(chatId, modeName, mode ?? "");
  }

  /** The connection and model selected for a chat without a question, if any. */
  selectionOf(chatId: string): SavedSelection | undefined {
    const parsed = v.safeParse(savedSelectionSchema, parseJson(this.#editOf(chatId, selectionName)));
    return parsed.success ? parsed.output : undefined;
  }

  saveSelection(chatId: string, saved: SavedSelection | undefined): void {
    this.saveEdit(chatId, selectionName, saved === undefined ? "" : JSON.stringify(saved));
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

  /** IDs of the chats with a draft, newest first, then of the chats with attachments only. */
  get chatIds(): readonly string[] {
    const drafted = this.#drafts.ids.filter((key) => !key.includes(editMark));
    return [...new Set([...this.#attachments.ids, ...drafted].toReversed())];
  }

  /** Removes and returns the unsent content of a chat. */
  forget(chatId: string): UnsentContent {
    const selection = this.selectionOf(chatId);
    const things = {
      draft: this.draftOf(chatId),
      attachments: this.attachmentsOf(chatId),
      edits: this.editsOf(chatId),
      preparedPrompt: this.#editOf(chatId, preparedName),
      ...(selection === undefined ? {} : { selection }),
    };
    for (const turnId of Object.keys(things.edits)) this.saveEdit(chatId, turnId, "");
    this.savePreparedPrompt(chatId, "");
    this.saveMode(chatId, undefined);
    this.saveSelection(chatId, undefined);
    this.saveDraft(chatId, "");
    this.saveAttachments(chatId, []);
    return things;
  }

  /** Saves removed content again. */
  restore(chatId: string, { draft, attachments, edits, preparedPrompt, selection }: UnsentContent): void {
    for (const [turnId, text] of Object.entries(edits)) this.saveEdit(chatId, turnId, text);
    if (preparedPrompt !== "") this.savePreparedPrompt(chatId, preparedPrompt);
    if (selection !== undefined) this.saveSelection(chatId, selection);
    if (draft !== "") this.saveDraft(chatId, draft);
    if (attachments.length > 0) this.saveAttachments(chatId, attachments);
  }

  /** Removes keys that were still unknown when the content was saved. */
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

  /** Resolves after the last writes, even if they failed. */
  async close(): Promise<void> {
    await Promise.all([this.#drafts.close(), this.#attachments.close()]);
  }

  #editOf(chatId: string, turnId: string): string {
    return this.draftOf(`${chatId}${editMark}${turnId}`);
  }
}
