import * as vscode from "vscode";
import { ArrivingCode } from "../../chat/arrivingCode.ts";
import { editMessages, refineMessages } from "../../chat/editMessages.ts";
import { indentLike } from "../../chat/indentation.ts";
import { type LineRange, mapLines } from "../../chat/mapLines.ts";
import { fileInComment } from "../../chat/namedFiles.ts";
import { findChanges } from "../../chat/textChanges.ts";
import type { Message } from "../../protocol/conversation.ts";
import { shownPath } from "../context/workspacePaths.ts";
import { showFailure } from "../failureNotice.ts";
import { type Proposal, textOf } from "../proposals/proposal.ts";
import type { Proposals } from "../proposals/proposals.ts";
import type { WorkspaceConnections } from "../workspaceConnections.ts";
import { answerFacts, waitText } from "./answerTexts.ts";
import type { EditTarget } from "./editTarget.ts";
import type { InPlaceAnswer, InPlaceAnswers } from "./inPlaceAnswers.ts";

export interface InPlaceEditOptions {
  readonly target: EditTarget;
  /** What the file was when the target was found. */
  readonly before: string;
  readonly answers: InPlaceAnswers;
  readonly connections: WorkspaceConnections;
  readonly proposals: Proposals;
  /** Asks what to change in what is proposed. */
  readonly askRefinement: () => Promise<string | undefined>;
  /** Shows an answer that is no code. */
  readonly showAnswer: (question: string, answer: InPlaceAnswer) => Promise<void>;
}

/** One part of a file that is asked for anew, in a diff, as often as the user refines it. */
export class InPlaceEdit {
  readonly #options: InPlaceEditOptions;
  readonly #wish: string;
  #stopping = new AbortController();
  #lines: LineRange;

  constructor(options: InPlaceEditOptions, wish: string) {
    this.#options = options;
    this.#wish = wish;
    this.#lines = options.target;
  }

  /** Asks, and resolves when the answer has ended, however it did. Nothing is sent where the user says no. */
  async run(): Promise<void> {
    const { target, before, answers, proposals } = this.#options;
    const { document } = target;
    if (!(await answers.mayAsk(this.#messages(textOf(document))))) return;
    const proposal = await proposals.create(
      { uri: document.uri, exists: true, cursor: 0, isUsersChoice: true },
      { stop: () => this.#stopping.abort(), refine: () => this.#refine(proposal) },
    );
    this.#lines = mapLines(target, findChanges(before, proposal.now));
    const old = proposal.now.split("\n").slice(this.#lines.start, this.#lines.end);
    await this.#ask(proposal, this.#messages(proposal.now), old);
  }

  /** Asks for another version of what is proposed; the file as it is now is its base. */
  async #refine(proposal: Proposal): Promise<void> {
    const wish = await this.#options.askRefinement();
    if (wish === undefined) return;
    const { base } = proposal.edit;
    const grown = proposal.hunks.reduce((sum, { removed, added }) => sum + added.length - removed, 0);
    const lines = mapLines(this.#lines, findChanges(base, proposal.now));
    const proposed = proposal.text.split("\n").slice(lines.start, lines.end + grown);
    this.#lines = lines;
    const messages = refineMessages(this.#messages(proposal.now), proposed, wish);
    if (await this.#options.answers.mayAsk(messages)) await this.#ask(proposal, messages, proposed);
  }

  #messages(text: string): readonly Message[] {
    const { document } = this.#options.target;
    const { start, end } = this.#lines;
    const [path, language] = [shownPath(document.uri), document.languageId];
    return editMessages({ path, language, lines: text.split("\n"), start, end }, this.#wish);
  }

  async #ask(proposal: Proposal, messages: readonly Message[], old: readonly string[]): Promise<void> {
    const { answers, proposals } = this.#options;
    const { start, end } = this.#lines;
    const lines = proposal.now.split("\n");
    const code = new ArrivingCode(old);
    this.#stopping = new AbortController();
    proposal.begin(() => {
      const fresh = indentLike(withoutFileName(code.lines, old), old);
      return [...lines.slice(0, start), ...fresh, ...code.rest, ...lines.slice(end)].join("\n");
    });
    proposal.facts = "";
    await proposals.show(proposal, start);
    const answer = await answers.ask(
      messages,
      {
        onText: (text) => {
          code.push(text);
          proposals.refresh(proposal);
        },
        onWait: (wait) => {
          proposal.facts = wait === undefined ? "" : waitText(wait);
          proposals.refresh(proposal);
        },
      },
      this.#stopping.signal,
    );
    code.finish();
    if (!code.hasCode && answer.state.kind === "complete") code.takeWords(answer.text);
    proposal.settle();
    proposal.facts = answerFacts(answer);
    proposals.refreshButtons();
    proposals.refresh(proposal);
    await this.#end(proposal, answer, code);
  }

  /** Says what there is to say about how it ended. */
  async #end(proposal: Proposal, answer: InPlaceAnswer, code: ArrivingCode): Promise<void> {
    const { proposals, connections, target } = this.#options;
    const isShown = proposals.isShown(proposal);
    const isEmpty = proposal.hunks.length === 0;
    if (isShown && isEmpty) await proposals.close(proposal);
    const { state } = answer;
    switch (state.kind) {
      case "failed":
        return showFailure({ connectionName: answer.connection, connections }, state.diagnosis, async () => {
          await proposals.close(proposal);
          await new InPlaceEdit(this.#options, this.#wish).run();
        });
      case "complete":
        if (!isShown) return;
        if (!code.hasCode) return this.#tellWords(answer);
        if (!code.isWhole) warnCut();
        else if (isEmpty) tell(vscode.l10n.t("{0} proposes no change to {1}.", answer.model, target.name));
        return;
      case "stopped":
      case "interrupted":
        if (isShown && !isEmpty) tell(vscode.l10n.t("Stopped. What had not come yet stays as it was."));
    }
  }

  async #tellWords(answer: InPlaceAnswer): Promise<void> {
    const show = vscode.l10n.t("Show Answer");
    const message = vscode.l10n.t("{0} answered without code. Nothing was changed.", answer.model);
    if ((await vscode.window.showInformationMessage(message, show)) === show) {
      await this.#options.showAnswer(this.#wish, answer);
    }
  }
}

/** Some answers begin a file's code with its name, whatever they are asked for. */
function withoutFileName(lines: readonly string[], old: readonly string[]): readonly string[] {
  const [first] = lines;
  return first !== undefined && first !== old[0] && fileInComment(first) !== undefined
    ? lines.slice(1)
    : lines;
}

function warnCut(): void {
  void vscode.window.showWarningMessage(
    vscode.l10n.t(
      "The answer was cut at its token limit (inference.maxTokens). What had not come yet stays as it was.",
    ),
  );
}

function tell(message: string): void {
  void vscode.window.showInformationMessage(message);
}
