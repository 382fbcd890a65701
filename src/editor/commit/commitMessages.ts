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

/** Writes commit messages into the source control's box, one at a time. Never commits. */
export class CommitMessages {
  readonly #services: ChatServices;
  readonly #onRunning: (isRunning: boolean) => void;
  /** Of the message that is being written. */
  #stopping: AbortController | undefined;
  /** By repository: the message that was written last, which may be replaced by another one. */
  readonly #written = new Map<string, string>();
  readonly #answers: InPlaceAnswers;

  /** @param onRunning hears whether a message is being written */
  constructor(services: ChatServices, onRunning: (isRunning: boolean) => void) {
    this.#services = services;
    this.#onRunning = onRunning;
    this.#answers = new InPlaceAnswers(services);
  }

  /** @param pressed the source control whose button it was; the palette gives none */
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

  /** Stops the message that is being written; what has arrived stays. */
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
      // Not awaited: the progress ends, and the notice stays.
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

  /** The box follows the answer; waits are said in the status bar, since the view's progress has no words. */
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
      return await this.#answers.ask(messages, { onText, onWait }, AbortSignal.any([signal, enough.signal]));
    } finally {
      told?.dispose();
    }
  }

  /** Stopped or at its end: what has arrived stays. */
  async #finish(
    repository: CommitRepository,
    writing: CommitWriting,
    gathered: GatheredCommit,
    signal: AbortSignal,
  ): Promise<void> {
    const { before, above, box, message } = writing;
    if (message === "") {
      if (!signal.aborted) void showWarning(vscode.l10n.t("The model returned an empty message. Try again."));
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

/** The commit template that git names, which the box begins with. */
function templateOf(pressed: unknown): string {
  const isObject = typeof pressed === "object" && pressed !== null;
  const template = isObject && "commitTemplate" in pressed ? pressed.commitTemplate : undefined;
  return typeof template === "string" ? template : "";
}

/** Names that one notice holds; more are counted. */
const maxNames = 5;

function showNoChanges(): void {
  void showInformation(vscode.l10n.t("There are no changes to describe."));
}

function showCut(): void {
  void showWarning(
    vscode.l10n.t("The commit message reached its token limit (inference.maxTokens) and is incomplete."),
  );
}

/** What the user typed meanwhile stays; what becomes of the message is theirs to say. */
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

/** The message stands below a text that was there before. */
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
  // Where it was edited since, the box is the user's.
  if (chosen === alone) await box.replace(shown, message);
  if (chosen === undo) await box.replace(shown, before);
}

/** What stays of a text above a message that is put below it. */
function textAbove(text: string): string {
  return text.trim() === "" ? "" : `${text.trimEnd()}\n\n`;
}

/** What the message could not take into account. Lock files and the like are no loss, and not told. */
function showOmitted({ diff, withheldPaths }: GatheredCommit): void {
  const byName = diff.named.filter(({ reason }) => isLoss(reason)).map(({ path }) => path);
  const sentences = [
    ...(withheldPaths.length === 0
      ? []
      : [
          vscode.l10n.t(
            "Not sent because they are excluded or might contain keys: {0}.",
            namesOf(withheldPaths),
          ),
        ]),
    ...(diff.cut.length === 0
      ? []
      : [vscode.l10n.t("Sent in part because the changes are large: {0}.", namesOf(diff.cut))]),
    ...(byName.length === 0 ? [] : [vscode.l10n.t("Sent as file names only: {0}.", namesOf(byName))]),
  ];
  if (sentences.length === 0) return;
  const message = vscode.l10n.t("The commit message doesn't cover all changes.");
  void showInformation([message, ...sentences].join(" "));
}

/** Whether the message could have been better with the file's lines. */
function isLoss(reason: NotShown): boolean {
  return reason === "no-room" || reason === "too-large" || reason === "unread";
}

function namesOf(paths: readonly string[]): string {
  const names = paths.slice(0, maxNames).join(", ");
  const more = paths.length - maxNames;
  return more > 0 ? vscode.l10n.t("{0} and {1} more", names, more) : names;
}
