import * as vscode from "vscode";
import {
  completionMessages,
  contextAt,
  type CursorContext,
  maxCompletionTokens,
  readCompletion,
} from "../../chat/edits/completion.ts";
import { contextKeys, settingKeys, settingSection } from "../../contributions.ts";
import { maySend } from "../attachments/selectionContext.ts";
import { showFailure } from "../failures/failureNotice.ts";
import { mayWriteText } from "../files/encodingLoss.ts";
import { nameOf, shownPath } from "../files/workspacePaths.ts";
import { withDelayedProgress } from "../shared/delayedProgress.ts";
import { isWritable } from "../shared/lastTextEditor.ts";
import { reportError, showInformation, showWarning } from "../shared/notices.ts";
import { setContext } from "../shared/registration.ts";
import { readCompletionModelSetting } from "../workspace/settings.ts";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";
import { CursorPlace, GhostText } from "./ghostText.ts";
import { type InPlaceAnswer, type InPlaceAnswers, waitText } from "./inPlaceAnswers.ts";

interface CompletionsOptions {
  readonly answers: InPlaceAnswers;
  readonly connections: WorkspaceConnections;
}

const modelSetting = `${settingSection}.${settingKeys.completionModel}`;

/** Completes the text at the cursor, only when the user asks for it, and one place at a time. */
export class Completions implements vscode.Disposable {
  readonly #options: CompletionsOptions;
  readonly #ghostText = new GhostText();
  #stopping: AbortController | undefined;

  constructor(options: CompletionsOptions) {
    this.#options = options;
  }

  /** Sends one request for the text at the cursor and shows its answer there. Replaces a request that still runs. */
  async complete(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined || !isWritable(editor.document.uri)) {
      askForFile();
      return;
    }
    this.stop();
    const stopping = new AbortController();
    this.#stopping = stopping;
    setContext(contextKeys.completing, true);
    // The text is inserted at the end of a selection.
    const { selection } = editor;
    if (!selection.isEmpty) editor.selection = new vscode.Selection(selection.end, selection.end);
    const place = new CursorPlace(editor);
    try {
      await this.#complete(place, AbortSignal.any([stopping.signal, place.left]));
    } finally {
      place.dispose();
      if (this.#stopping === stopping) {
        this.#stopping = undefined;
        setContext(contextKeys.completing, false);
      }
    }
  }

  /** Stops the request. Nothing is shown. */
  stop(): void {
    this.#stopping?.abort();
  }

  dispose(): void {
    this.stop();
    this.#ghostText.dispose();
  }

  /** The notice of a failure stays while the user goes on to another file, whose text must not be sent. */
  async #retryIn(document: vscode.TextDocument): Promise<void> {
    if (vscode.window.activeTextEditor?.document === document) await this.complete();
    else askForFile();
  }

  async #complete({ editor }: CursorPlace, signal: AbortSignal): Promise<void> {
    const { answers, connections } = this.#options;
    const { document } = editor;
    await this.#ghostText.hide();
    if (!(await mayWriteText(document)) || !(await maySend(document.uri))) return;
    // The cursor could split a key on its line, and neither part would be found.
    const line = document.lineAt(editor.selection.end.line).text;
    if ((await answers.cleanText(line)) !== line) {
      void showWarning(
        vscode.l10n.t(
          "Nothing was sent because the line of the cursor contains an API key. Remove the key first.",
        ),
      );
      return;
    }
    const context = contextOf(editor);
    const [path, language] = [shownPath(document.uri), document.languageId];
    const messages = completionMessages({ path, language, ...context });
    if (!(await answers.mayAsk(messages)) || signal.aborted) return;
    const model = readCompletionModelSetting(vscode.workspace.getWorkspaceFolder(document.uri)?.uri);
    let hasReasoned = false;
    const onReasoning = (): void => {
      hasReasoned = true;
    };
    const answer = await withDelayedProgress(
      vscode.l10n.t("Completing '{0}'...", nameOf(document.uri)),
      (cancelled, report) =>
        answers.ask(
          { kind: "completion" },
          messages,
          { onReasoning, onWait: (wait) => report(wait === undefined ? "" : waitText(wait)) },
          AbortSignal.any([cancelled, signal]),
          { maxTokens: maxCompletionTokens, ...(model === undefined ? {} : { model }) },
        ),
    );
    if (answer === undefined || signal.aborted) return;
    const { state } = answer;
    if (state.kind === "failed") {
      const owner = {
        connectionName: answer.connection,
        connections,
        ...(model === undefined ? {} : { modelSetting }),
      };
      reportError(showFailure(owner, state.diagnosis, () => this.#retryIn(document)));
    } else if (state.kind === "complete") {
      const isCut = state.reason === "length";
      const eol = document.eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n";
      const text = readCompletion(answer.text, context, { language, isCut, eol });
      if (text === "") reportError(showNothing(answer, hasReasoned || isCut));
      else if ((await mayWriteText(document, text)) && !signal.aborted)
        await this.#ghostText.show(editor, text);
    }
  }
}

function askForFile(): void {
  void showInformation(vscode.l10n.t("Open the file first, and then run this command again."));
}

function contextOf({ document, selection }: vscode.TextEditor): CursorContext {
  const lineAt = (line: number): vscode.TextLine => document.lineAt(line);
  return contextAt({ lineCount: document.lineCount, lineAt }, selection.end);
}

/** @param hasReasoned whether the model reasoned, or used all of its tokens without saying for what */
async function showNothing({ model, text }: InPlaceAnswer, hasReasoned: boolean): Promise<void> {
  if (text.trim() !== "" || !hasReasoned) {
    void showInformation(vscode.l10n.t("No completion: {0} returned no text for this place.", model));
    return;
  }
  const select = vscode.l10n.t("Select Model");
  const message = vscode.l10n.t(
    "No completion: {0} used its tokens to reason. Select a model that doesn't reason.",
    model,
  );
  if ((await showInformation(message, select)) === select)
    await vscode.commands.executeCommand("workbench.action.openSettings", modelSetting);
}
