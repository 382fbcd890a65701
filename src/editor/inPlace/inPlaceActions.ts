import * as vscode from "vscode";
import { editText, promptText } from "../../chat/prompts/promptTemplates.ts";
import type { Attachment } from "../../chat/transcript/attachments.ts";
import { showRefusals } from "../attachments/gathered.ts";
import { problemLine } from "../attachments/problemsContext.ts";
import {
  cellsAttachment,
  gatherTerminal,
  maySend,
  mayShow,
  rangeAttachment,
} from "../attachments/selectionContext.ts";
import { writeCells } from "../../text/notebookText.ts";
import { findCell, rangeOf } from "../shared/notebooks.ts";
import { readCell } from "../shared/readTextFile.ts";
import { mayWriteText } from "../files/encodingLoss.ts";
import { promptForEdit } from "./promptForEdit.ts";
import { type EditTarget, findTarget, targetNow, wholeFile } from "./editTarget.ts";
import { Completions } from "./completions.ts";
import { type InPlaceAnswer, InPlaceAnswers } from "./inPlaceAnswers.ts";
import { InPlaceEdit } from "./inPlaceEdit.ts";
import { PromptMemory } from "./promptMemory.ts";
import type { InPlaceNeeds } from "./registerInPlace.ts";
import { review, ReviewThreads } from "./review.ts";
import type { State } from "../workspace/state.ts";
import { convertTurnsToEvents } from "../../chat/history/export/portableConversation.ts";

interface InPlaceActionsOptions extends InPlaceNeeds {
  /** State of the workspace. */
  readonly state: State;
}

/** Code that an action applies to. */
export interface Subject {
  readonly document: vscode.TextDocument;
  readonly range: vscode.Range;
}

/** The actions on code in an editor and on terminal output. Nothing is sent until the user chooses one. */
export class InPlaceActions implements vscode.Disposable {
  readonly completions: Completions;
  readonly #options: InPlaceActionsOptions;
  readonly #answers: InPlaceAnswers;
  readonly #memory: PromptMemory;
  readonly #closing = new AbortController();
  #threads: ReviewThreads | undefined;

  constructor(options: InPlaceActionsOptions) {
    this.#options = options;
    this.#answers = new InPlaceAnswers(options);
    this.#memory = new PromptMemory(options.state);
    this.completions = new Completions({ answers: this.#answers, connections: options.connections });
  }

  /** Undefined before the first review: VS Code shows its Comments view as soon as an extension can add comments. */
  get threads(): ReviewThreads | undefined {
    return this.#threads;
  }

  /** Prompts for a change to the selection, or to the code around the cursor, and shows the change. */
  async edit(subject: Subject): Promise<void> {
    if (!(await mayWriteText(subject.document))) return;
    const target = await findTarget(subject.document, subject.range);
    const highlight = highlightTarget(target);
    try {
      const wish = await this.#promptForWish(
        vscode.l10n.t("Edit {0}", target.name),
        vscode.l10n.t("What should change? You review the changes before they are applied."),
      );
      if (wish !== undefined) {
        highlight.dispose();
        await this.#edit(target, wish);
      }
    } finally {
      highlight.dispose();
    }
  }

  /** Fixes the problems that VS Code reports in the range, or else in the code around it. */
  async fix(subject: Subject): Promise<void> {
    const { document, range } = subject;
    const target = await findTarget(document, range, "around");
    const lines = new vscode.Range(target.start, 0, target.end, 0);
    const all = vscode.languages.getDiagnostics(document.uri);
    const own = all.filter((problem) => problem.range.intersection(range) !== undefined);
    const problems = own.length > 0 ? own : all.filter((problem) => lines.contains(problem.range));
    const said = problems.map((problem) => problemLine(document.uri, problem));
    await this.#edit(target, editText("fix", [...said, ...outputsOf(document)].join("\n")));
  }

  async document({ document, range }: Subject): Promise<void> {
    await this.#edit(await findTarget(document, range), editText("docs"));
  }

  async review({ document, range }: Subject): Promise<void> {
    const target = range.isEmpty ? wholeFile(document) : await findTarget(document, range);
    if (!(await maySend(document.uri))) return;
    const { connections } = this.#options;
    await review(
      {
        answers: this.#answers,
        connections,
        loadThreads: () => (this.#threads ??= new ReviewThreads()),
        signal: this.#closing.signal,
        showAnswer: (question, answer) => showInChat(this.#options, question, [attachmentOf(target)], answer),
      },
      target,
    );
  }

  /** Asks in the chat and attaches the code. */
  async ask(prompt: "explain" | "tests", { document, range }: Subject): Promise<void> {
    if (!(await mayShow(document.uri))) return;
    const target = await findTarget(document, range);
    await this.#options.view.ask(promptText(prompt), [attachmentOf(target)]);
  }

  async explainTerminalSelection(): Promise<void> {
    const { attachments, refusals } = await gatherTerminal();
    showRefusals(refusals);
    if (attachments.length > 0) {
      await this.#options.view.ask(
        vscode.l10n.t(
          "Explain this terminal output: what it says and, if something failed, why and how to fix it.",
        ),
        attachments,
      );
    }
  }

  dispose(): void {
    this.#closing.abort();
    this.#threads?.dispose();
    this.completions.dispose();
  }

  async #edit(target: EditTarget, wish: string): Promise<void> {
    if (!(await mayWriteText(target.document)) || !(await maySend(target.document.uri))) return;
    const { connections, loadCodeActions } = this.#options;
    const edit = new InPlaceEdit(
      {
        target,
        connections,
        answers: this.#answers,
        proposals: (await loadCodeActions()).proposals,
        promptForRefinement: () =>
          this.#promptForWish(
            vscode.l10n.t("Refine the Change in {0}", target.name),
            vscode.l10n.t("What should be different?"),
          ),
        showAnswer: (question, answer) => showInChat(this.#options, question, [attachmentOf(target)], answer),
      },
      wish,
    );
    await edit.run();
  }

  /** Prompts the user and removes API keys from the text. Saves the text, so that it survives a failed request. */
  async #promptForWish(title: string, placeholder: string): Promise<string | undefined> {
    const typed = await promptForEdit(title, placeholder, this.#memory);
    if (typed === undefined) return undefined;
    const wish = await this.#options.outgoing.cleanQuestion(typed);
    await this.#memory.add(wish);
    return wish;
  }
}

/** Highlights the lines to change while the user is prompted. */
function highlightTarget({ document, start, end }: EditTarget): vscode.Disposable {
  const mark = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("editor.rangeHighlightBackground"),
    borderColor: new vscode.ThemeColor("editor.rangeHighlightBorder"),
  });
  for (const editor of vscode.window.visibleTextEditors) {
    if (editor.document === document) editor.setDecorations(mark, [new vscode.Range(start, 0, end - 1, 0)]);
  }
  return mark;
}

/** The cell with its outputs, since an error of a cell is in its output. Empty for other documents. */
function outputsOf({ uri }: vscode.TextDocument): readonly string[] {
  const cell = findCell(uri);
  if (cell === undefined || cell.outputs.length === 0) return [];
  return [writeCells([readCell(cell)], cell.index + 1)];
}

function attachmentOf(target: EditTarget): Attachment {
  const { document, start, end } = targetNow(target);
  const cell = findCell(document.uri);
  const isWholeCell = cell !== undefined && start === 0 && end === wholeFile(document).end;
  if (isWholeCell) return cellsAttachment(cell.notebook, rangeOf(cell));
  return rangeAttachment(document, new vscode.Range(start, 0, end, 0), "selection");
}

/** Shows a question and its answer from outside the chats as a new chat, which the user can continue. */
async function showInChat(
  { loadChats, view }: Pick<InPlaceActionsOptions, "loadChats" | "view">,
  question: string,
  attachments: readonly Attachment[],
  answer: InPlaceAnswer,
): Promise<void> {
  const { chats, store, knownKeys } = await loadChats();
  const [id, questionId] = [crypto.randomUUID(), crypto.randomUUID()];
  const events = convertTurnsToEvents(
    [
      { kind: "question", id: questionId, parentId: null, text: question, at: answer.at, attachments },
      { ...answer, kind: "answer", id: crypto.randomUUID(), parentId: questionId },
    ],
    null,
  );
  const log = store.log(id);
  log.append(events.map((event) => knownKeys.cleanEvent(event)));
  await log.flush();
  const chat = await chats.find(id);
  if (chat !== undefined) await view.open(chat);
}
