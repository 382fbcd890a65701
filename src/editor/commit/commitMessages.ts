import * as vscode from "vscode";
import { commitMessages } from "../../chat/commit/commitRequest.ts";
import type { Message } from "../../protocol/conversation/conversation.ts";
import { requireConnection } from "../workspace/chooseConnection.ts";
import { reportError, localReasonOf, showProgress, showWarning } from "../shared/notices.ts";
import { showFailure } from "../failures/failureNotice.ts";
import { waitText } from "../inPlace/answerTexts.ts";
import {
  type AnswerListener,
  type InPlaceAnswer,
  InPlaceAnswers,
  type InPlaceAnswersOptions,
} from "../inPlace/inPlaceAnswers.ts";
import { untilAborted } from "../shared/abort.ts";
import { CommitBox } from "./commitBox.ts";
import { tellCut, tellLeftOut, tellNoChanges, tellOwnText, tellTyped, textAbove } from "./commitNotices.ts";
import { type CommitRepository, findCommitRepository } from "./commitRepository.ts";
import { CommitWriting } from "./commitWriting.ts";
import { gatherCommit, type GatheredCommit } from "./gatherCommit.ts";

export interface CommitMessagesOptions extends InPlaceAnswersOptions {
  /** Hears whether a message is being written. */
  readonly onRunning: (isRunning: boolean) => void;
}

/** Writes commit messages into the source control's box, one at a time. Never commits. */
export class CommitMessages {
  readonly #options: CommitMessagesOptions;
  /** Of the message that is being written. */
  #stopping: AbortController | undefined;
  /** By repository: the message that was written last, which may be replaced by another one. */
  readonly #written = new Map<string, string>();
  readonly #answers: InPlaceAnswers;

  constructor(options: CommitMessagesOptions) {
    this.#options = options;
    this.#answers = new InPlaceAnswers(options);
  }

  /** @param pressed the source control whose button it was; the palette gives none */
  async generate(pressed: unknown): Promise<void> {
    const repository = await findCommitRepository(pressed);
    if (repository === undefined || (await requireConnection(this.#options.connections)) === undefined)
      return;
    if (this.#stopping !== undefined) return;
    const stopping = new AbortController();
    this.#stopping = stopping;
    this.#options.onRunning(true);
    const location = vscode.ProgressLocation.SourceControl;
    try {
      await showProgress({ location }, () => this.#generate(repository, pressed, stopping.signal));
    } finally {
      this.#stopping = undefined;
      this.#options.onRunning(false);
    }
  }

  /** Stops the message that is being written; what has arrived stays. */
  stop(): void {
    this.#stopping?.abort();
  }

  async #generate(repository: CommitRepository, pressed: unknown, signal: AbortSignal): Promise<void> {
    const { connections, rooms } = this.#options;
    const connection = connections.current;
    if (connection === undefined) return;
    const [model, clientStyle] = [connections.modelFor(connection), connections.clientStyleFor(connection)];
    const room = rooms.roomOf(connection, model, clientStyle);
    const gathering = gatherCommit(repository, room, signal).catch((error: unknown) => {
      throw new Error(vscode.l10n.t("The changes could not be read from git: {0}", localReasonOf(error)), {
        cause: error,
      });
    });
    const gathered = await untilAborted(gathering, signal);
    if (signal.aborted) return;
    if (gathered === undefined) return tellNoChanges();
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
    if (state.kind === "complete" && state.reason === "length") tellCut();
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
      if (!signal.aborted) void showWarning(vscode.l10n.t("The model wrote no message."));
      return;
    }
    await writing.finish();
    this.#written.set(repository.rootUri.toString(), message);
    if (writing.typed) reportError(tellTyped(box, message));
    else if (above !== "") {
      reportError(tellOwnText(box, { before, shown: writing.shown, message }));
    }
    tellLeftOut(gathered);
  }
}

/** The commit template that git names, which the box begins with. */
function templateOf(pressed: unknown): string {
  const isObject = typeof pressed === "object" && pressed !== null;
  const template = isObject && "commitTemplate" in pressed ? pressed.commitTemplate : undefined;
  return typeof template === "string" ? template : "";
}
