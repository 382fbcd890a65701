import * as vscode from "vscode";
import { commitMessages, type NotShown } from "../../chat/commit/commitRequest.ts";
import type { Message } from "../../protocol/conversation/conversation.ts";
import type { ChatServices } from "../chat/chatTarget.ts";
import { requireConnection } from "../workspace/chooseConnection.ts";
import { localReasonOf, reportError, showInformation, showProgress, showWarning } from "../shared/notices.ts";
import { showFailure } from "../failures/failureNotice.ts";
import {
  type AnswerListener,
  type InPlaceAnswer,
  InPlaceAnswers,
  waitText,
} from "../inPlace/inPlaceAnswers.ts";
import { untilAborted } from "../shared/abort.ts";
import { CommitBox, type CommitRepository, CommitWriting, findCommitRepository } from "./commitBox.ts";
import { gatherCommit, type GatheredCommit } from "./gatherCommit.ts";

/** Writes commit messages into the Source Control box, one at a time. Never commits. */
export class CommitMessages {
  readonly #services: ChatServices;
  readonly #onRunning: (isRunning: boolean) => void;
  /** Aborts the message that is written now. */
  #stopping: AbortController | undefined;
  /** The last written message of each repository. A new message may replace it. */
  readonly #written = new Map<string, string>();
  readonly #answers: InPlaceAnswers;

  /** @param onRunning called with true when writing begins, with false when it ends */
  constructor(services: ChatServices, onRunning: (isRunning: boolean) => void) {
    this.#services = services;
    this.#onRunning = onRunning;
    this.#answers = new InPlaceAnswers(services);
  }

  /** @param pressed the source control whose button was pressed. The Command Palette passes none. */
  async generate(pressed: unknown): Promise<void> {
    const repository = await findCommitRepository(pressed);
    if (repository === undefined || (await requireConnection(this.#services.connections)) === undefined)
      return;
    if (this.#stopping !== undefined) return;
    const stopping = new AbortController();
    this.#stopping = stopping;
    this.#onRunning(true);
    const location = vscode.ProgressLocation.SourceControl;
    try {
      await showProgress({ location }, () => this.#generate(repository, pressed, stopping.signal));
    } finally {
      this.#stopping = undefined;
      this.#onRunning(false);
    }
  }

  /** Stops writing the message. The text so far stays in the box. */
  stop(): void {
    this.#stopping?.abort();
  }

  async #generate(repository: CommitRepository, pressed: unknown, signal: AbortSignal): Promise<void> {
    const { connections, limits } = this.#services;
    const connection = connections.current;
    if (connection === undefined) return;
    const [model, clientStyle] = [connections.modelFor(connection), connections.clientStyleFor(connection)];
    const room = limits.limitsOf(connection, model, clientStyle);
    const gathering = gatherCommit(repository, room, signal).catch((error: unknown) => {
      throw new Error(vscode.l10n.t("Couldn't read the changes from Git: {0}", localReasonOf(error)), {
        cause: error,
      });
    });
    const gathered = await untilAborted(gathering, signal);
    if (signal.aborted) return;
    if (gathered === undefined) return showNoChanges();
    const messages = commitMessages(gathered);
    const isAllowed = await untilAborted(this.#answers.mayAsk(messages), signal);
    if (!isAllowed || signal.aborted) return;
    const writing = this.#begin(repository, templateOf(pressed));
    const answer = await this.#receive(messages, writing, signal);
    const { state } = answer;
    if (state.kind === "failed") {
      await writing.restore();
      const owner = { connectionName: answer.connection, connections };
      // Not awaited, so that the progress ends while the notice stays.
      reportError(showFailure(owner, state.diagnosis, () => this.generate(pressed)));
      return;
    }
    await this.#finish(repository, writing, gathered, signal);
    if (state.kind === "complete" && state.reason === "length") showCut();
  }

  #begin(repository: CommitRepository, template: string): CommitWriting {
    const box = new CommitBox(repository);
    const before = box.text;
    const text = before.trim();
    const replaceable = ["", template.trim(), this.#written.get(repository.rootUri.toString())];
    return new CommitWriting(box, before, replaceable.includes(text) ? "" : textAbove(before));
  }

  /** Streams the answer into the box. Shows waits in the status bar, because the view's progress has no text. */
  async #receive(
    messages: readonly Message[],
    writing: CommitWriting,
    signal: AbortSignal,
  ): Promise<InPlaceAnswer> {
    const enough = new AbortController();
    let told: vscode.Disposable | undefined;
    const onWait: AnswerListener["onWait"] = (wait) => {
      told?.dispose();
      told = wait && vscode.window.setStatusBarMessage(waitText(wait));
    };
    const onText = (text: string): void => {
      writing.push(text);
      if (writing.isTooLong) enough.abort();
    };
    try {
      return await this.#answers.ask(
        { kind: "commit-message" },
        messages,
        { onText, onWait },
        AbortSignal.any([signal, enough.signal]),
      );
    } finally {
      told?.dispose();
    }
  }

  /** Finishes a complete or stopped message. The text so far stays in the box. */
  async #finish(
    repository: CommitRepository,
    writing: CommitWriting,
    gathered: GatheredCommit,
    signal: AbortSignal,
  ): Promise<void> {
    const { before, above, box, message } = writing;
    if (message === "") {
      if (!signal.aborted)
        void showWarning(vscode.l10n.t("The model returned an empty commit message. Try again."));
      return;
    }
    await writing.finish();
    this.#written.set(repository.rootUri.toString(), message);
    if (writing.typed) reportError(showTyped(box, message));
    else if (above !== "") {
      reportError(showOwnText(box, { before, shown: writing.shown, message }));
    }
    showOmitted(gathered);
  }
}

/** Returns git's commit template, which the box starts with. Empty without a template. */
function templateOf(pressed: unknown): string {
  const isObject = typeof pressed === "object" && pressed !== null;
  const template = isObject && "commitTemplate" in pressed ? pressed.commitTemplate : undefined;
  return typeof template === "string" ? template : "";
}

/** Maximum number of names in a notice. Further names are counted. */
const maxNames = 5;

function showNoChanges(): void {
  void showInformation(vscode.l10n.t("There are no changes to describe."));
}

function showCut(): void {
  void showWarning(
    vscode.l10n.t("The commit message reached its token limit (inference.maxTokens) and is incomplete."),
  );
}

/** Keeps the user's typed text, and asks what to do with the message. */
async function showTyped(box: CommitBox, message: string): Promise<void> {
  const below = vscode.l10n.t("Insert Below");
  const replace = vscode.l10n.t("Replace");
  const copy = vscode.l10n.t("Copy");
  const chosen = await showInformation(
    vscode.l10n.t("You edited the commit message box, so the new message was not inserted."),
    below,
    replace,
    copy,
  );
  const now = box.text;
  if (chosen === below) await box.replace(now, textAbove(now) + message);
  if (chosen === replace) await box.replace(now, message);
  if (chosen === copy) await vscode.env.clipboard.writeText(message);
}

/** Tells the user that the message was added below their text. */
async function showOwnText(
  box: CommitBox,
  { before, shown, message }: { readonly before: string; readonly shown: string; readonly message: string },
): Promise<void> {
  const alone = vscode.l10n.t("Use Only the New Message");
  const undo = vscode.l10n.t("Undo");
  const chosen = await showInformation(
    vscode.l10n.t("The commit message was added below your text."),
    alone,
    undo,
  );
  // If the user has edited the box since, `replace` leaves it unchanged.
  if (chosen === alone) await box.replace(shown, message);
  if (chosen === undo) await box.replace(shown, before);
}

/** Returns the text and an empty line, which stay above a message. Empty if there is only white space. */
function textAbove(text: string): string {
  return text.trim() === "" ? "" : `${text.trimEnd()}\n\n`;
}

/** Lists changes that the message does not cover. Skips files without useful lines, such as lock files. */
function showOmitted({ diff, withheldPaths }: GatheredCommit): void {
  const byName = diff.named.filter(({ reason }) => isLoss(reason)).map(({ path }) => path);
  const sentences = [
    ...(withheldPaths.length === 0
      ? []
      : [
          vscode.l10n.t(
            "Files not sent because they are excluded or might contain keys: {0}.",
            namesOf(withheldPaths),
          ),
        ]),
    ...(diff.cut.length === 0
      ? []
      : [vscode.l10n.t("Files only partly sent because their changes are large: {0}.", namesOf(diff.cut))]),
    ...(byName.length === 0
      ? []
      : [vscode.l10n.t("Only the names of these files were sent: {0}.", namesOf(byName))]),
  ];
  if (sentences.length === 0) return;
  const message = vscode.l10n.t("The commit message doesn't cover all changes.");
  void showInformation([message, ...sentences].join(" "));
}

/** Whether the file's lines could have improved the message. */
function isLoss(reason: NotShown): boolean {
  return reason === "no-room" || reason === "too-large" || reason === "unread";
}

function namesOf(paths: readonly string[]): string {
  const names = paths.slice(0, maxNames).join(", ");
  const more = paths.length - maxNames;
  return more > 0 ? vscode.l10n.t("{0} and {1} more", names, more) : names;
}
