import * as vscode from "vscode";
import type { Answerer } from "../../chat/answerer.ts";
import { longestCommitMessage, readCommitMessage } from "../../chat/commitMessage.ts";
import { commitMessages } from "../../chat/commitRequest.ts";
import { tokensOf } from "../../chat/cost.ts";
import { countCharacters } from "../../chat/countCharacters.ts";
import { InferenceError } from "../../client/failure.ts";
import { streamWithRetries } from "../../client/retrying.ts";
import { type ChatAnswererOptions, createAnswerer } from "../chat/chatAnswerer.ts";
import type { Spending } from "../chat/spending.ts";
import type { TokenCaps } from "../chat/tokenCaps.ts";
import { requireConnection } from "../chooseConnection.ts";
import { showFailure } from "../failureNotice.ts";
import { CommitBox } from "./commitBox.ts";
import { tellLeftOut, tellNoChanges, tellOwnText, tellTyped, textAbove } from "./commitNotices.ts";
import { type CommitRepository, findCommitRepository } from "./commitRepository.ts";
import { gatherCommit, type GatheredCommit } from "./gatherCommit.ts";

/** Milliseconds between two writes into the box, each of which costs the editor an edit. */
const writeInterval = 100;

export interface CommitMessagesOptions extends ChatAnswererOptions {
  readonly spending: Spending;
  readonly caps: TokenCaps;
  /** Hears whether a message is being written. */
  readonly onRunning: (isRunning: boolean) => void;
}

/** One message on its way into a box. */
interface Writing {
  readonly repository: CommitRepository;
  readonly box: CommitBox;
  /** What the box held before. */
  readonly before: string;
  /** What stays above the message: the user's own text, with an empty line. */
  readonly above: string;
  /** What was written into the box last. */
  shown: string;
  /** Whether the user has typed since, so that the box is theirs. */
  typed: boolean;
}

/** Writes commit messages into the source control's box, one at a time. Never commits. */
export class CommitMessages {
  readonly #options: CommitMessagesOptions;
  /** Of the message that is being written. */
  #stopping: AbortController | undefined;
  /** By repository: the message that was written last, which may be replaced by another one. */
  readonly #written = new Map<string, string>();

  constructor(options: CommitMessagesOptions) {
    this.#options = options;
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
      await vscode.window.withProgress({ location }, () =>
        this.#generate(repository, templateOf(pressed), stopping.signal),
      );
    } finally {
      this.#stopping = undefined;
      this.#options.onRunning(false);
    }
  }

  /** Stops the message that is being written; what has arrived stays. */
  stop(): void {
    this.#stopping?.abort();
  }

  async #generate(repository: CommitRepository, template: string, signal: AbortSignal): Promise<void> {
    const { connections, rooms } = this.#options;
    const connection = connections.current;
    if (connection === undefined) return;
    const answerer = createAnswerer(this.#options);
    const room = rooms.roomOf(connection, answerer.model, answerer.clientStyle);
    const gathered = await gatherCommit(repository, room).catch((error: unknown) => {
      throw new Error(vscode.l10n.t("The changes could not be read from git. {0}", reasonOf(error)), {
        cause: error,
      });
    });
    if (gathered === undefined) return tellNoChanges();
    const messages = commitMessages(gathered);
    const mayAsk = await this.#options.caps.mayAskOutsideOfChats(
      connection,
      countCharacters({ messages }) ?? 0,
    );
    if (!mayAsk || signal.aborted) return;
    const writing = this.#begin(repository, template);
    try {
      const message = await this.#receive(answerer, messages, writing, signal);
      await this.#finish(writing, message, gathered, signal);
    } catch (error) {
      if (!(error instanceof InferenceError)) throw error;
      await this.#fail(writing, answerer, error);
    }
  }

  #begin(repository: CommitRepository, template: string): Writing {
    const box = new CommitBox(repository);
    const before = box.text;
    const text = before.trim();
    const replaceable = ["", template.trim(), this.#written.get(repository.rootUri.toString())];
    const above = replaceable.includes(text) ? "" : textAbove(before);
    return { repository, box, before, above, shown: before, typed: false };
  }

  /** The whole message; the box follows it for as long as nobody types. */
  async #receive(
    answerer: Answerer,
    messages: Parameters<Answerer["answer"]>[0],
    writing: Writing,
    signal: AbortSignal,
  ): Promise<string> {
    let answer = "";
    let tokens = 0;
    let wroteAt = 0;
    const enough = new AbortController();
    const either = AbortSignal.any([signal, enough.signal]);
    const open = () => answerer.answer(messages, either, () => undefined);
    for await (const parts of streamWithRetries(open, () => undefined, either)) {
      for (const part of parts) {
        if (part.type === "text-delta") answer += part.text;
        if (part.type === "usage") tokens = tokensOf(part.usage);
      }
      if (answer.length > longestCommitMessage) enough.abort();
      if (Date.now() - wroteAt < writeInterval) continue;
      await write(writing, readCommitMessage(answer));
      wroteAt = Date.now();
    }
    if (tokens > 0) await this.#options.spending.add(answerer.connection, tokens);
    return readCommitMessage(answer);
  }

  /** Stopped or at its end: what has arrived stays. */
  async #finish(
    writing: Writing,
    message: string,
    gathered: GatheredCommit,
    signal: AbortSignal,
  ): Promise<void> {
    const { before, above, box } = writing;
    if (message === "") {
      if (!signal.aborted)
        void vscode.window.showWarningMessage(vscode.l10n.t("The model wrote no message."));
      return;
    }
    await write(writing, message);
    this.#written.set(writing.repository.rootUri.toString(), message);
    if (writing.typed) tellTyped(box, message).catch(() => undefined);
    else if (above !== "") {
      tellOwnText(box, { before, shown: writing.shown, message }).catch(() => undefined);
    }
    tellLeftOut(gathered);
  }

  /** The box is as it was, unless it is the user's by now. */
  async #fail(
    { box, shown, before, typed }: Writing,
    answerer: Answerer,
    error: InferenceError,
  ): Promise<void> {
    if (!typed) await box.replace(shown, before);
    if (error.failure.kind === "cancelled") return;
    const diagnosis = await answerer.diagnose(error.failure);
    answerer.onSettled({ kind: "failed", diagnosis });
    const { connections } = this.#options;
    // Not awaited: the progress ends, and the notice stays.
    void showFailure({ connectionName: answerer.connection, connections }, diagnosis);
  }
}

async function write(writing: Writing, message: string): Promise<void> {
  const next = writing.above + message;
  if (writing.typed || message === "" || next === writing.shown) return;
  if (await writing.box.replace(writing.shown, next)) writing.shown = next;
  else writing.typed = true;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The commit template that git names, which the box begins with. */
function templateOf(pressed: unknown): string {
  const isObject = typeof pressed === "object" && pressed !== null;
  const template = isObject && "commitTemplate" in pressed ? pressed.commitTemplate : undefined;
  return typeof template === "string" ? template : "";
}
