import * as vscode from "vscode";
import type { Attachment } from "../../chat/transcript/attachments.ts";
import type { QuestionContext } from "../../chat/session/chatSession.ts";
import { compactPrompt } from "../../chat/transcript/compaction.ts";
import { readPromptCommand, findByName } from "../../chat/prompts/promptCommand.ts";
import type { PromptRequest, ToWebview } from "../../chat/page/protocol.ts";
import {
  isPromptName,
  type PromptName,
  promptNames,
  promptSubject,
  type PromptSubject,
  promptText,
} from "../../chat/prompts/promptTemplates.ts";
import type { AttachmentTarget } from "../attachments/attachmentTarget.ts";
import type { ChatContext } from "../attachments/chatContext.ts";
import {
  attached,
  type Gathered,
  nothing,
  refused,
  showRefusals,
  together,
} from "../attachments/gathered.ts";
import type { LastTextEditor } from "../shared/lastTextEditor.ts";
import { showWarning } from "../shared/notices.ts";
import { readInstructions } from "./instructions.ts";
import { findPromptFiles, type FoundPrompt } from "./promptFiles.ts";
import { usePromptFile } from "./usePromptFile.ts";
import type { ContextOffer } from "../../chat/page/protocol.ts";
import { nameOf, shownPath } from "../files/workspacePaths.ts";
import { gatherUris } from "../attachments/uriContext.ts";
import { gatherDiff } from "../attachments/gitContext.ts";
import { gatherProblemsAt } from "../attachments/problemsContext.ts";
import { findCell, rangeOf } from "../shared/notebooks.ts";
import { gatherCells, gatherSelectionOf } from "../attachments/selectionContext.ts";
import { createTextAttachment } from "../attachments/textAttachment.ts";

/** Milliseconds that a list of prompt files is reused while the user types a name. */
const listingPause = 2000;

/** A question that is ready to be sent. */
interface PreparedQuestion extends QuestionContext {
  readonly added: Gathered;
}

/** The prompts for `/`, and the instructions that are sent before each conversation. */
export class ChatPrompts {
  readonly #context: ChatContext;
  readonly #lastEditor: LastTextEditor;
  #listed: { readonly at: number; readonly files: Promise<readonly FoundPrompt[]> } | undefined;
  /** Sentences already shown. Instructions are read for every question, so a sentence could repeat. */
  readonly #shown = new Set<string>();

  #choosing: Promise<void> = Promise.resolve();

  constructor(context: ChatContext, lastEditor: LastTextEditor) {
    this.#context = context;
    this.#lastEditor = lastEditor;
  }

  async handle(
    request: PromptRequest,
    chat: AttachmentTarget,
    post: (message: ToWebview) => void,
  ): Promise<void> {
    if (request.type === "choose") {
      const choosing = this.#choose(request.name, chat);
      this.#choosing = choosing.catch(() => undefined);
      return choosing;
    }
    const { searchId, typed } = request;
    const offers = promptOffers(typed, await this.#list());
    const note = vscode.workspace.isTrusted ? {} : { note: restrictedNote() };
    post({ type: "context-offers", searchId, offers, ...note });
  }

  /** Resolves when the context of the prompt chosen in the list is attached. The user may press Enter before that. */
  async settled(): Promise<void> {
    await this.#choosing;
  }

  /**
   * Prepares a text for sending. A text that begins with `/name` becomes that prompt. Other texts stay as they are.
   * Resolves to undefined if the text can't be sent or the user cancels. In the first case, the user sees the reason.
   * @param prepared name of the prompt whose context is already gathered
   */
  async prepare(
    text: string,
    given: readonly Attachment[],
    prepared?: string,
  ): Promise<PreparedQuestion | undefined> {
    const command = readPromptCommand(text);
    if (command === undefined) return { added: nothing };
    const { name, rest } = command;
    // No prompt file replaces this prompt: its answer changes what later questions send.
    const found = name === compactPrompt ? undefined : findByName(await findPromptFiles(), name);
    // A prompt that was chosen in the list or asked before has attached its code. The user may have removed that code.
    const takes = given.length === 0 && prepared !== name;
    const editor = this.#lastEditor.current;
    if (found?.kind === "problem") return refuse(found.sentence);
    if (found !== undefined) {
      const use = await usePromptFile(found, rest, editor);
      if (use.kind === "refused") return use.sentence === undefined ? undefined : refuse(use.sentence);
      const own = takes && use.added.attachments.length === 0 ? await gatherSelected(editor) : nothing;
      return { prompt: use.prompt, added: join(own, use.added) };
    }
    return isPromptName(name) ? prepareOwn(name, rest, takes, given, editor) : refuse(unknownText(name));
  }

  /** Reads the instructions to send before a question with these attachments. */
  async instructionsFor(given: readonly Attachment[]): Promise<readonly Attachment[]> {
    const { attachments, problems } = await readInstructions(given);
    for (const sentence of problems) {
      if (this.#shown.has(sentence)) continue;
      this.#shown.add(sentence);
      void showWarning(sentence);
    }
    return attachments;
  }

  async #choose(name: string, chat: AttachmentTarget): Promise<void> {
    if (chat.attachments.length > 0) return;
    const isOfFile = name !== compactPrompt && (await this.#list()).some((each) => each.name === name);
    const editor = this.#lastEditor.current;
    const isOwn = !isOfFile && isPromptName(name);
    const gathered = isOwn ? await gatherSubject(promptSubject(name), editor) : await gatherSelected(editor);
    if (gathered.attachments.length === 0) return;
    await this.#context.attach(gathered, chat);
    chat.preparedPrompt = name;
  }

  #list(): Promise<readonly FoundPrompt[]> {
    if (this.#listed === undefined || performance.now() - this.#listed.at > listingPause) {
      this.#listed = { at: performance.now(), files: findPromptFiles() };
    }
    return this.#listed.files;
  }
}

async function prepareOwn(
  name: PromptName,
  rest: string,
  takes: boolean,
  given: readonly Attachment[],
  editor: vscode.TextEditor | undefined,
): Promise<PreparedQuestion | undefined> {
  const added = takes ? await gatherSubject(promptSubject(name), editor) : nothing;
  const isAboutChat = promptSubject(name) === "chat";
  const isAboutNothing = !isAboutChat && given.length + added.attachments.length === 0 && rest === "";
  if (isAboutNothing) {
    const [sentence] = added.refusals;
    return refuse(
      sentence ??
        vscode.l10n.t(
          "Nothing is attached. Attach the code for /{0}, or describe the code in your message.",
          name,
        ),
    );
  }
  // Without attachments, the typed text may be enough, so drop the refusals.
  const isSaid = added.attachments.length === 0;
  return { prompt: { name, text: promptText(name, rest) }, added: isSaid ? nothing : added };
}

function join(first: Gathered, second: Gathered): Gathered {
  return {
    attachments: [...first.attachments, ...second.attachments],
    refusals: [...first.refusals, ...second.refusals],
  };
}

function unknownText(name: string): string {
  const unknown = vscode.l10n.t(
    "There is no prompt named /{0}. To send your message as text, start it with a space.",
    name,
  );
  return vscode.workspace.isTrusted ? unknown : `${unknown} ${restrictedNote()}`;
}

function refuse(sentence: string): undefined {
  showRefusals([sentence]);
}

/** The prompts whose name contains the typed text: the equal name first, then names that begin with the text. */
function promptOffers(typed: string, files: readonly FoundPrompt[]): readonly ContextOffer[] {
  const own = files.filter(({ name }) => name !== compactPrompt).map(fileOffer);
  // A prompt of the workspace replaces our prompt of the same name.
  const ours = promptNames.filter((name) => !own.some(({ id }) => id === name)).map(builtInOffer);
  const lower = typed.toLowerCase();
  const rank = ({ id }: ContextOffer): number => {
    const name = id.toLowerCase();
    if (name === lower) return 0;
    return name.startsWith(lower) ? 1 : 2;
  };
  return [...ours, ...own]
    .filter(({ id }) => id.toLowerCase().includes(lower))
    .sort((left, right) => rank(left) - rank(right));
}

function builtInOffer(name: PromptName): ContextOffer {
  return { id: name, label: `/${name}`, description: describe(name) };
}

function describe(name: PromptName): string {
  const { t } = vscode.l10n;
  switch (name) {
    case "explain":
      return t("Explain the selection or the file");
    case "fix":
      return t("Fix the problems in the selection or the file");
    case "tests":
      return t("Write tests for the selection or the file");
    case "docs":
      return t("Write documentation for the selection or the file");
    case "review":
      return t("Review the selection or the file");
    case "compact":
      return t("Summarize this chat, and send the summary with later questions instead of the chat");
    case "commit":
      return t("Write a commit message for staged changes (or unstaged ones, if nothing is staged)");
  }
}

function fileOffer(prompt: FoundPrompt): ContextOffer {
  const { name } = prompt;
  if (prompt.kind === "problem") {
    const description = vscode.l10n.t("Can't be used: {0}", prompt.sentence);
    return { id: name, label: `/${name}`, description };
  }
  const { description, argumentHint } = prompt.file;
  const words = description === "" ? shownPath(prompt.uri) : description;
  return {
    id: name,
    label: `/${name}`,
    description: argumentHint === "" ? words : `${words} (${argumentHint})`,
  };
}

/** Says why the workspace's prompts are missing. */
function restrictedNote(): string {
  return vscode.l10n.t("Restricted Mode: this workspace's prompts and instructions are ignored.");
}

/** Gathers the subject of a built-in prompt, for a question without attachments. */
export async function gatherSubject(
  subject: PromptSubject,
  editor: vscode.TextEditor | undefined,
): Promise<Gathered> {
  if (subject === "chat") return nothing;
  if (subject === "changes") return gatherChanges();
  if (editor === undefined) {
    return refused(vscode.l10n.t("No file is open. Open the file you want to ask about, or attach it."));
  }
  const code = await gatherCode(editor);
  if (subject === "code" || code.attachments.length === 0) return code;
  return together([code, await gatherProblemsAt(editor)]);
}

/** Gathers the selection; nothing if there is none. */
async function gatherSelected(editor: vscode.TextEditor | undefined): Promise<Gathered> {
  return editor === undefined || editor.selection.isEmpty ? nothing : gatherSelectionOf(editor);
}

async function gatherCode(editor: vscode.TextEditor): Promise<Gathered> {
  const selected = await gatherSelected(editor);
  if (!editor.selection.isEmpty) return selected;
  const { document } = editor;
  const cell = findCell(document.uri);
  if (cell !== undefined) return gatherCells(cell.notebook, [rangeOf(cell)]);
  if (!document.isUntitled) return gatherUris([document.uri]);
  const text = document.getText();
  if (text.trim() === "") return refused(vscode.l10n.t("'{0}' is empty.", nameOf(document.uri)));
  const language = document.languageId;
  return attached(createTextAttachment({ kind: "file", name: nameOf(document.uri), text, language }));
}

/** Gathers the staged changes, or else the unstaged ones. */
async function gatherChanges(): Promise<Gathered> {
  const staged = await gatherDiff("staged");
  if (staged.attachments.length > 0) return staged;
  const unstaged = await gatherDiff("unstaged");
  if (unstaged.attachments.length > 0) return unstaged;
  // If staged and unstaged changes have the same reason, the user sees it once.
  const refusals = new Set([...staged.refusals, ...unstaged.refusals]);
  return { attachments: [], refusals: [...refusals] };
}
