import * as vscode from "vscode";
import { ArrivingCode } from "../../chat/code/arrivingCode.ts";
import { editMessages, refineMessages } from "../../chat/edits/editMessages.ts";
import { indentLike } from "../../text/indentation.ts";
import { type LineRange, mapLines, findChanges } from "../../text/lineChanges.ts";
import { fileInComment } from "../../text/markdown/codeBlockInfo.ts";
import type { Message } from "../../protocol/conversation/conversation.ts";
import { shownPath } from "../files/workspacePaths.ts";
import { showFailure } from "../failures/failureNotice.ts";
import { showInformation } from "../shared/notices.ts";
import { type Proposal, textOf } from "../edits/proposal.ts";
import type { Proposals } from "../edits/proposals.ts";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";
import {
  answerFacts,
  type AnswerListener,
  type InPlaceAnswer,
  type InPlaceAnswers,
  waitText,
  warnCut,
} from "./inPlaceAnswers.ts";
import type { EditTarget } from "./editTarget.ts";

interface InPlaceEditOptions {
  readonly target: EditTarget;
  readonly answers: InPlaceAnswers;
  readonly connections: WorkspaceConnections;
  readonly proposals: Proposals;
  /** Prompts for a change to the proposal. */
  readonly promptForRefinement: () => Promise<string | undefined>;
  /** Shows an answer that has no code. */
  readonly showAnswer: (question: string, answer: InPlaceAnswer) => Promise<void>;
}

interface EditRequest {
  readonly messages: readonly Message[];
  /** The lines that the answer replaces. Lines that the answer has not reached yet stay as they are here. */
  readonly old: readonly string[];
  /** Repeats the request. */
  readonly again: () => Promise<void>;
}

/** One part of a file that the model rewrites. The user sees a diff and can refine it several times. */
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

  /** Asks, and resolves when the answer has ended, in any state. Sends nothing if the user declines. */
  async run(): Promise<void> {
    const { target, answers } = this.#options;
    const { document } = target;
    if (!(await answers.mayAsk(this.#messages(textOf(document), target)))) return;
    const proposal = await this.#create();
    this.#lines = mapLines(target, findChanges(target.text, proposal.now));
    const { start, end } = this.#lines;
    const again = async (): Promise<void> => {
      await this.#options.proposals.close(proposal);
      await new InPlaceEdit(this.#options, this.#wish).run();
    };
    const messages = this.#messages(proposal.now, this.#lines);
    await this.#ask(proposal, { messages, old: proposal.now.split("\n").slice(start, end), again });
  }

  async #create(): Promise<Proposal> {
    const { target, proposals } = this.#options;
    const proposal = await proposals.create(
      { uri: target.document.uri, exists: true, cursor: 0, isUsersChoice: true },
      { stop: () => this.#stopping.abort(), refine: () => this.#refine(proposal) },
    );
    return proposal;
  }

  /** Asks for another version of the proposal, based on the current file. */
  async #refine(proposal: Proposal): Promise<void> {
    const { proposals, answers, promptForRefinement } = this.#options;
    const wish = await promptForRefinement();
    // The user can close the diff while the prompt is open.
    if (wish === undefined || !proposals.isShown(proposal) || proposal.isArriving) return;
    const { edit, hunks, now } = proposal;
    const lines = mapLines(this.#lines, findChanges(edit.base, now));
    const grown = hunks.reduce(
      (sum, { kind, removed, added }) => sum + (kind === "clean" ? added.length - removed : 0),
      0,
    );
    const old = edit
      .cleanTextIn(now)
      .split("\n")
      .slice(lines.start, lines.end + grown);
    const messages = refineMessages(this.#messages(now, lines), old, wish);
    const again = async (): Promise<void> => {
      if (proposal.isArriving || !(await answers.mayAsk(messages))) return;
      await this.#ask(proposals.isShown(proposal) ? proposal : await this.#replace(proposal), request);
    };
    const request = { messages, old, again };
    if ((await answers.mayAsk(messages)) && proposals.isShown(proposal)) await this.#ask(proposal, request);
  }

  /** Creates a proposal in place of a closed one, with the same record of the user's edits. */
  async #replace(closed: Proposal): Promise<Proposal> {
    const proposal = await this.#create();
    proposal.edit = closed.edit;
    return proposal;
  }

  #messages(text: string, { start, end }: LineRange): readonly Message[] {
    const { document } = this.#options.target;
    const [path, language] = [shownPath(document.uri), document.languageId];
    return editMessages({ path, language, lines: text.split("\n"), start, end }, this.#wish);
  }

  async #ask(proposal: Proposal, request: EditRequest): Promise<void> {
    this.#lines = mapLines(this.#lines, findChanges(proposal.edit.base, proposal.now));
    const { start, end } = this.#lines;
    const lines = proposal.now.split("\n");
    const { old } = request;
    const code = new ArrivingCode(old);
    this.#stopping = new AbortController();
    proposal.begin(() => {
      const fresh = indentLike(withoutFileName(code.lines, old), old);
      return [...lines.slice(0, start), ...fresh, ...code.rest, ...lines.slice(end)].join("\n");
    });
    const answer = await this.#receive(proposal, request, code);
    await this.#end(proposal, request, answer, code);
  }

  async #receive(proposal: Proposal, { messages }: EditRequest, code: ArrivingCode): Promise<InPlaceAnswer> {
    const { answers, proposals } = this.#options;
    const onText = (text: string): void => {
      code.push(text);
      proposals.refresh(proposal);
    };
    const onWait: AnswerListener["onWait"] = (wait) => {
      proposal.facts = wait === undefined ? "" : waitText(wait);
      proposals.refresh(proposal);
    };
    proposal.facts = "";
    try {
      await proposals.show(proposal, this.#lines.start);
      const answer = await answers.ask({ kind: "edit" }, messages, { onText, onWait }, this.#stopping.signal);
      proposal.facts = answerFacts(answer);
      // The last line of a truncated answer is incomplete.
      if (answer.state.kind === "complete" && answer.state.reason !== "length") {
        code.finish();
        if (!code.hasCode) code.takeWords(answer.text);
      }
      return answer;
    } finally {
      // Also runs after an exception: the user can still decide on the lines that have arrived.
      proposal.settle();
      proposals.refreshButtons();
      proposals.refresh(proposal);
    }
  }

  /** Reports how the answer ended. */
  async #end(
    proposal: Proposal,
    { again }: EditRequest,
    answer: InPlaceAnswer,
    code: ArrivingCode,
  ): Promise<void> {
    const { proposals, connections, target } = this.#options;
    const isShown = proposals.isShown(proposal);
    const isEmpty = proposal.hunks.length === 0;
    if (isShown && isEmpty) await proposals.close(proposal);
    const { state } = answer;
    switch (state.kind) {
      case "failed":
        return showFailure({ connectionName: answer.connection, connections }, state.diagnosis, again);
      case "complete":
        if (!isShown) return;
        if (!code.hasCode) return this.#showWords(answer);
        if (!code.isWhole) warnCut();
        else if (isEmpty)
          showMessage(vscode.l10n.t("{0} proposes no changes to {1}.", answer.model, target.name));
        return;
      case "stopped":
      case "interrupted":
        if (isShown && !isEmpty)
          showMessage(
            vscode.l10n.t("Stopped. The part of your text that the answer didn't reach is unchanged."),
          );
    }
  }

  async #showWords(answer: InPlaceAnswer): Promise<void> {
    const show = vscode.l10n.t("Show Answer");
    const message = vscode.l10n.t("{0} answered without code, so nothing was changed.", answer.model);
    if ((await showInformation(message, show)) === show) {
      await this.#options.showAnswer(this.#wish, answer);
    }
  }
}

/** Some models put the file's name above its code, whatever the prompt says. */
function withoutFileName(lines: readonly string[], old: readonly string[]): readonly string[] {
  const [first] = lines;
  return first !== undefined && first !== old[0] && fileInComment(first) !== undefined
    ? lines.slice(1)
    : lines;
}

function showMessage(message: string): void {
  void showInformation(message);
}
