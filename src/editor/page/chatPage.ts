import * as vscode from "vscode";
import {
  contextRequestTraits,
  messageTraits,
  type ContextRequest,
  type ChoiceId,
  type CodeActionId,
  type FromWebview,
  type ToWebview,
} from "../../chat/page/protocol.ts";
import type { CodeBlockText } from "../../text/markdown/codeBlockInfo.ts";
import { EventBatcher, withoutContents, withoutEventContents } from "../../chat/page/eventBatcher.ts";
import {
  isAboutChat,
  isRestored,
  readPageMessage,
  outdatedTreatmentOf,
} from "../../chat/page/messageSchema.ts";
import { compactPrompt } from "../../chat/transcript/compaction.ts";
import { showNotCompacted } from "../chat/questionDialogs.ts";
import type { CallReply } from "../../chat/transcript/steps.ts";
import { type AnswerTurn, type TranscriptEvent, visibleTurns } from "../../chat/transcript/transcript.ts";
import { type Attachment, withoutContent } from "../../chat/transcript/attachments.ts";
import type { DiagnosisActionId } from "../../connection/diagnosis/diagnosis.ts";
import { commandIds, contextKeys, settingKeys, settingSection } from "../../contributions.ts";
import { ChatInstructions } from "../prompts/instructions.ts";
import type { ContextPage } from "../attachments/chatContext.ts";
import { showThrown, showInformation } from "../shared/notices.ts";
import { setContext } from "../shared/registration.ts";
import { runDiagnosisAction } from "../failures/failureNotice.ts";
import { wasAnnouncedSince } from "../shared/delayedProgress.ts";
import { findWorkspaceFiles, openWorkspaceFile } from "../files/workspaceFiles.ts";
import { selectEffort } from "../models/modelEfforts.ts";
import { mendObstacle, pickMode } from "../agent/chatModes.ts";
import type { Chat } from "../chat/chat.ts";
import { headerOf } from "./chatHeader.ts";
import { destinationOf, obstacleOf } from "../chat/receiver.ts";
import {
  mendingOf,
  selectClientStyle,
  selectConnection,
  selectModel,
  verifyPdf,
} from "../chat/selectReceiver.ts";
import type { ModeObstacle } from "../../chat/agent/modeObstacle.ts";

import { followCodeColors } from "./codeColorSource.ts";
import { chatPageParts, pageDocument } from "./pageDocument.ts";
import { AskQuestion, type QuestionPage } from "../chat/askQuestion.ts";
import { UnsentTexts } from "../chat/unsentTexts.ts";
import type { ChatPageSources, Chats } from "../chat/chats.ts";
import { isLoopback } from "../../client/http/address.ts";

interface ChatPageOptions extends ChatPageSources {
  /** Called with the page's chat whenever the page shows another one. */
  readonly onChat: (chat: Chat) => void;
  readonly post: (message: ToWebview) => void;
}

/** The extension host's half of a page. Shows a chat and handles the page's messages for that chat. */
export class ChatPage implements QuestionPage, vscode.Disposable {
  readonly #options: ChatPageOptions;
  readonly #subscription: vscode.Disposable;
  readonly #events = new EventBatcher((events) =>
    this.#options.post({ type: "transcript-events", events: events.map(withoutEventContents) }),
  );
  /** The instructions for the next question, as the page shows them. */
  readonly #instructions: ChatInstructions;
  readonly #questions: AskQuestion;
  readonly #texts: UnsentTexts;
  #chat: Chat;
  #unlistenChat: () => void;
  readonly #speak = (speaks: boolean): void => this.#post({ type: "voice", speaks });
  #releaseVoice: (() => void) | undefined;
  /** Whether the page has requested its first state. Until then, nothing is posted. */
  #ready = false;
  /** The focus message to post once the page is ready. */
  #firstFocus: ToWebview | undefined;
  /** Set once the page has code to color. */
  #codeColors: vscode.Disposable | undefined;

  constructor(options: ChatPageOptions, chat: Chat) {
    this.#options = options;
    this.#chat = chat;
    this.#unlistenChat = this.#listenTo(chat);
    const postHeader = (): void => this.#postHeader();
    this.#instructions = new ChatInstructions(options.prompts, (instructions) =>
      this.#post({ type: "instructions", instructions: instructions.map(withoutContent) }),
    );
    this.#texts = new UnsentTexts(options.saveDraft, options.edits);
    this.#questions = new AskQuestion(options.questions, this, this.#texts);
    this.#subscription = vscode.Disposable.from(
      this.#instructions,
      vscode.workspace.onDidGrantWorkspaceTrust(postHeader),
      options.connections.onDidChange(postHeader),
      options.limits.onDidChange(postHeader),
      options.efforts.onDidChange(postHeader),
      { dispose: options.compatibility.listen(postHeader) },
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(`${settingSection}.${settingKeys.modelCapabilities}`)) postHeader();
      }),
    );
  }

  get chat(): Chat {
    return this.#chat;
  }

  /** Shows another chat. The previous chat continues without the page. */
  show(chat: Chat): void {
    if (chat === this.#chat) return;
    const left = this.#chat;
    this.#unlistenChat();
    this.#chat = chat;
    this.#unlistenChat = this.#listenTo(chat);
    this.#postSnapshot();
    this.#options.onChat(chat);
    this.#options.onHidden(left);
    if (this.#ready) chat.seen();
  }

  /** Focuses the composer, or shows a turn of any branch, as soon as the page is ready. */
  focus(turnId?: string): void {
    this.#options.onUse(this.#chat);
    const isShown = turnId !== undefined && revealTurn(this.#chat, turnId);
    const message: ToWebview = isShown ? { type: "show-turn", turnId } : { type: "focus-composer" };
    if (this.#ready) this.#post(message);
    else this.#firstFocus = message;
  }

  focusComposer(): void {
    this.focus();
  }

  /**
   * Call this when VS Code has discarded the page's content. When shown again, the page requests its first state again.
   */
  hidden(): void {
    this.#ready = false;
    this.#setFocus(false);
    this.#options.typing.note(this, false);
    this.#silence();
  }

  /**
   * Asks in the page's chat with these attachments only. The user's draft and attachments stay. If the question can't
   * be sent, its text goes to the composer.
   */
  async ask(text: string, attachments: readonly Attachment[]): Promise<void> {
    this.#options.onUse(this.#chat);
    await this.#questions.send(text, undefined, attachments);
  }

  /** Puts a text back into the composer, or into the edit box of a question. */
  restore(text: string, turnId?: string): void {
    this.#post(
      turnId === undefined ? { type: "restore-draft", text } : { type: "restore-edit", turnId, text },
    );
  }

  /** Returns the focus to the page element that opened a prompt of VS Code. */
  focusAgain(): void {
    this.#post({ type: "focus-page" });
  }

  /** Handles a message from the page. Ignores messages that the contract does not define. */
  receive(posted: unknown): void {
    const read = readPageMessage(posted);
    if (read === undefined) return;
    const { chatId, message } = read;
    if (messageTraits[message.type].by === "person") this.#options.onUse(this.#chat);
    if (chatId !== null && chatId !== this.#chat.id && isAboutChat(message)) {
      this.#handleOutdated(chatId, message).catch(showThrown);
      return;
    }
    this.#handle(message).catch(showThrown);
  }

  dispose(): void {
    this.#ready = false;
    this.#options.typing.note(this, false);
    this.#unlistenChat();
    this.#setFocus(false);
    this.#silence();
    this.#events.dispose();
    this.#subscription.dispose();
    this.#codeColors?.dispose();
    this.#options.onHidden(this.#chat);
  }

  async #handle(message: FromWebview): Promise<void> {
    const { session } = this.#chat;
    switch (message.type) {
      case "ready":
        this.#start();
        return;
      case "focused":
        this.#setFocus(true);
        this.#options.voice.claim(this.#speak);
        this.#chat.seen();
        return;
      case "blurred":
        this.#setFocus(false);
        return;
      case "typing":
        this.#options.typing.note(this, message.isTyping);
        return;
      case "send":
        return this.#questions.send(message.text);
      case "edit":
        return this.#questions.send(message.text, message.turnId);
      case "retry":
        return this.#questions.retry(message.turnId);
      case "retry-with":
        return this.#questions.retryWith(message.turnId);
      case "stop":
        session.stop();
        return;
      case "reply-call":
        session.replyToCall(message.turnId, message.call, await this.#cleanReply(message.reply));
        return;
      case "reply-pause":
        session.replyToPause(message.turnId, message.goesOn);
        return;
      case "resume":
        return this.#questions.resume(message.turnId);
      case "changes":
        return this.#options.changes.run(message.action, this.#chat, message.turnId, message.path);
      case "retry-now":
        session.retryNow();
        return;
      case "keep-waiting":
        session.keepWaiting();
        return;
      case "continue":
        return this.#questions.continue();
      case "select-version":
        session.selectVersion(message.turnId);
        return;
      case "include":
        session.include(message.turnId, message.included);
        return;
      case "open-limit":
        return vscode.commands.executeCommand(
          "workbench.action.openSettings",
          `@id:${settingSection}.${settingKeys.maxTokens}`,
        );
      case "new-chat":
        this.goTo(this.#options.newChat());
        return;
      case "draft":
        this.#texts.type(message);
        return;
      case "choose":
        return this.choose(message.what);
      case "mend-mode":
        return this.#mendMode(message.by);
      case "verify-pdf":
        return verifyPdf(this.#options, this.#chat);
      case "context":
        return this.#handleContext(message.request);
      case "prompt":
        return this.#options.prompts.handle(message.request, this.#chat, (answer) => this.#post(answer));
      case "copy":
        return vscode.env.clipboard.writeText(message.text);
      case "action":
        return this.#runDiagnosisAction(message.action, message.turnId);
      case "open-link":
        return openLink(message.href);
      case "open-file":
        return openWorkspaceFile(message.name);
      case "follow-code-colors":
        this.#codeColors?.dispose();
        this.#codeColors = followCodeColors((colors) => this.#post({ type: "code-colors", colors }));
        return;
      case "find-files":
        this.#post({ type: "files-found", names: await findWorkspaceFiles(message.names) });
        return;
      case "code-action":
        return this.#runCodeAction(message.action, message.block);
      case "apply-answer":
        return this.#applyAnswer(message.turnId);
      default:
        message satisfies never;
    }
  }

  async #runCodeAction(action: CodeActionId, block: CodeBlockText): Promise<void> {
    const actions = await this.#options.loadCodeActions();
    await actions.run(action, block, () => this.focusAgain());
  }

  async #applyAnswer(turnId: string): Promise<void> {
    const turn = this.#chat.session.transcript.turns.find(({ id }) => id === turnId);
    if (turn?.kind === "answer") await (await this.#options.loadCodeActions()).applyAnswer(turn.text);
  }

  #contextPage(chat: Chat): ContextPage {
    return {
      answer: (message) => this.#post(message),
      restoreText: (text) => this.#questions.restoreText(chat, text),
    };
  }

  async #runDiagnosisAction(action: DiagnosisActionId, turnId: string | undefined): Promise<void> {
    if (action === "new-chat") return this.goTo(this.#options.newChat());
    const { connections } = this.#options;
    const turn = visibleTurns(this.#chat.session.transcript).find(({ id }) => id === turnId);
    const answer = turn?.kind === "answer" ? turn : undefined;
    if (action === "select-model" || action === "select-client-style")
      return this.#selectInstead(action === "select-model" ? "model" : "client-style", answer);
    await runDiagnosisAction(action, {
      cause: answer?.state.kind === "failed" ? answer.state.diagnosis.cause : undefined,
      owner: answer && { connectionName: answer.connection, connections },
      onRetry: () => (turnId === undefined ? undefined : this.#questions.retry(turnId)),
    });
  }

  /** Selects another model or client style after a failure: for the chat, or for another answer like the failed one. */
  async #selectInstead(what: "model" | "client-style", answer: AnswerTurn | undefined): Promise<void> {
    const own = this.#options.questions.selectionOf(this.#chat)?.connection;
    const failed = answer && this.#options.questions.currentNameOf(answer);
    if (answer === undefined || (failed === own && answer.isOneTime !== true)) return this.choose(what);
    return this.#questions.retryWith(answer.id);
  }

  /**
   * Handles a message for a chat that the page no longer shows. Restores its text, and handles only requests for that
   * chat.
   */
  async #handleOutdated(chatId: string, message: FromWebview): Promise<void> {
    if (isRestored(message)) this.#questions.restoreOutdated(chatId, message);
    if (message.type !== "context" || outdatedTreatmentOf(message) !== "own-chat") return;
    const { findChat, context } = this.#options;
    const meant = await findChat(chatId);
    if (meant !== undefined) await context.handle(message.request, meant, this.#contextPage(meant));
  }

  async #handleContext(request: ContextRequest): Promise<void> {
    const begun = performance.now();
    await this.#options.context.handle(request, this.#chat, this.#contextPage(this.#chat));
    if (!contextRequestTraits[request.type].opensDialog) return;
    // VS Code's own lists have taken the focus. After a progress notice, the user may be working elsewhere.
    if (!wasAnnouncedSince(begun)) this.focusComposer();
  }

  goTo(chat: Chat, turnId?: string): void {
    this.show(chat);
    this.focus(turnId);
  }

  /** The user's words go to the service, so they must not contain a key. */
  async #cleanReply(reply: CallReply): Promise<CallReply> {
    const { outgoing } = this.#options.questions;
    switch (reply.type) {
      case "allow":
      case "continue-in-background":
        return reply;
      case "deny":
        return { ...reply, why: await outgoing.cleanQuestion(reply.why) };
      case "answer":
        return { ...reply, text: await outgoing.cleanQuestion(reply.text) };
    }
  }

  /** Asks, then requests a summary that later questions send instead of the conversation so far. */
  async compact(): Promise<void> {
    const chat = this.#chat;
    if (chat.session.busy) return showNotCompacted("arriving");
    if (!visibleTurns(chat.session.transcript).some(({ kind }) => kind === "answer"))
      return showNotCompacted("no-answers");
    const compact = vscode.l10n.t("Compact Chat");
    const chosen = await showInformation(
      vscode.l10n.t("Compact this chat with 1 billable request?"),
      {
        modal: true,
        detail: vscode.l10n.t(
          "The model writes a summary. Later questions send your first message, the names of changed files, the last commands, and the summary. The chat itself stays as it is.",
        ),
      },
      compact,
    );
    if (chosen !== compact || chat !== this.#chat) return;
    await this.#questions.send(`/${compactPrompt}`, undefined, []);
  }

  async #selectMode(): Promise<void> {
    const chat = this.#chat;
    const mode = await pickMode(chat.mode, this.#obstacle, mendingOf(this.#options, chat));
    if (mode !== undefined) chat.mode = mode;
    if (chat === this.#chat) this.focusComposer();
  }

  /** Asks for the effort of the model that answers next; for the connection first if that can't be reached. */
  async #selectEffort(): Promise<void> {
    const { limits, efforts } = this.#options;
    const destination = destinationOf(this.#options, this.#chat);
    if (destination.kind !== "known") return this.choose("connection");
    const { connection, model, clientStyle } = destination.receiver;
    const { maxTokens } = limits.limitsOf(connection, model, clientStyle);
    const keepsFocus = await selectEffort(efforts, { connection, model, clientStyle, maxTokens });
    if (keepsFocus) this.focusComposer();
  }

  async #mendMode(by: "removing" | "asking"): Promise<void> {
    const obstacle = this.#obstacle;
    if (by === "asking") this.#chat.mode = "ask";
    else if (obstacle !== undefined) await mendObstacle(obstacle, mendingOf(this.#options, this.#chat));
  }

  get #obstacle(): ModeObstacle | undefined {
    return obstacleOf(this.#options.compatibility, destinationOf(this.#options, this.#chat));
  }

  /** Asks what the displayed chat is to use. */
  async choose(what: ChoiceId): Promise<void> {
    const chat = this.#chat;
    if (what === "mode") return this.#selectMode();
    if (what === "effort") return this.#selectEffort();
    // Without a connection, the first selection is for the workspace.
    if (destinationOf(this.#options, chat).kind === "none")
      return vscode.commands.executeCommand(workspaceCommands[what]);
    switch (what) {
      case "connection":
        await selectConnection(this.#options, chat);
        break;
      case "model":
        await selectModel(this.#options, chat);
        break;
      case "client-style":
        await selectClientStyle(this.#options, chat);
        break;
    }
    if (chat === this.#chat) this.focusComposer();
  }

  #listenTo(chat: Chat): () => void {
    return chat.listen({
      onEvents: (events) => {
        if (this.#ready) this.#events.add(events);
        if (events.some(({ type }) => changesTarget.has(type))) this.#postHeader();
      },
      onAttachments: () => {
        this.#post({ type: "attachments", attachments: chat.attachments.map(withoutContent) });
        this.#instructions.read(chat.attachments);
      },
      onTarget: () => this.#postHeader(),
      onReplaced: () => this.#postSnapshot(),
    });
  }

  #start(): void {
    this.#ready = true;
    this.#postSnapshot();
    this.#chat.seen();
    // A page that starts again counts as a new page for announcements.
    this.#silence();
    this.#releaseVoice = this.#options.voice.join(this.#speak);
    if (this.#firstFocus !== undefined) this.#post(this.#firstFocus);
    this.#firstFocus = undefined;
  }

  #setFocus(hasFocus: boolean): void {
    this.#events.hasFocus = hasFocus;
    if (hasFocus) focusedPages.add(this);
    else if (!focusedPages.delete(this)) return;
    setContext(contextKeys.chatFocused, focusedPages.size > 0);
  }

  /** Stops the announcements of this page, so that another page can make them. */
  #silence(): void {
    this.#releaseVoice?.();
    this.#releaseVoice = undefined;
  }

  #postSnapshot(): void {
    const { id, shownTranscript, attachments } = this.#chat;
    this.#post({
      type: "snapshot",
      snapshot: {
        chatId: id,
        transcript: withoutContents(shownTranscript),
        header: headerOf(this.#options, this.#chat),
        draft: this.#texts.inComposer(this.#chat),
        edits: this.#texts.inEdits(id),
        attachments: attachments.map(withoutContent),
        translations: vscode.l10n.bundle ?? {},
      },
    });
    if (this.#ready) this.#instructions.read(attachments);
  }

  #postHeader(): void {
    this.#post({ type: "header", header: headerOf(this.#options, this.#chat) });
  }

  #post(message: ToWebview): void {
    if (!this.#ready) return;
    this.#events.flush();
    this.#options.post(message);
  }
}

const workspaceCommands = {
  connection: commandIds.useConnection,
  model: commandIds.selectModel,
  "client-style": commandIds.selectClientStyle,
} as const;

/** Events after which the chat may go to another connection or model, or have another mode. */
const changesTarget: ReadonlySet<TranscriptEvent["type"]> = new Set([
  "target-selected",
  "version-selected",
  "answer-started",
]);

/** One page at most has the focus. It may report this before another page reports its loss. */
const focusedPages = new Set<ChatPage>();

/** The chat page that has the focus; undefined while the focus is elsewhere. */
export function focusedPage(): ChatPage | undefined {
  return [...focusedPages].at(-1);
}

/** Creates a page that shows the chat, and that switches to another chat if the user starts one there. */
export function createChatPage(
  chats: Pick<Chats, "pageSources">,
  chat: Chat,
  post: (message: ToWebview) => void,
  onChat: (chat: Chat) => void,
): ChatPage {
  return new ChatPage({ ...chats.pageSources, onChat, post }, chat);
}

/**
 * Shows the branch of a turn. Returns false if there is no such turn or the branch can't be shown now. While an answer
 * arrives on another branch, that branch stays on the screen, and the user is told. If the turn's branch appeared by
 * itself later, the user's next question would go to that branch.
 */
export function revealTurn({ session }: Chat, turnId: string): boolean {
  const isShown = session.reveal(turnId);
  if (!isShown && session.busy) {
    void showInformation(
      vscode.l10n.t(
        "The message you selected is in another version of this chat. Select it again after the current answer finishes.",
      ),
    );
  }
  return isShown;
}

/** Opens only web and mail links. VS Code asks before it opens another site. */
async function openLink(href: string): Promise<void> {
  const url = URL.parse(href);
  if (url === null || !["https:", "http:", "mailto:"].includes(url.protocol)) return;
  // A `Uri` loses which characters were escaped, so web links are opened as text. Pages of this machine need a `Uri`,
  // so that VS Code can forward them from a remote host.
  const isText = url.protocol !== "mailto:" && !isLoopback(url.hostname);
  if (isText) await vscode.commands.executeCommand("vscode.open", url.href);
  else await vscode.env.openExternal(vscode.Uri.parse(url.href, true));
}

/** Prepares a webview for the chat page. The page is loaded when `load` is called. */
export function preparePage(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
): { readonly post: (message: ToWebview) => void; readonly load: () => void } {
  const resources = vscode.Uri.joinPath(extensionUri, "dist", "webview");
  webview.options = { enableScripts: true, localResourceRoots: [resources] };
  return {
    // A hidden page drops messages. It requests a snapshot when it is shown again.
    post: (message) => void webview.postMessage(message).then(undefined, () => undefined),
    load: () => {
      webview.html = pageHtml(webview, extensionUri);
    },
  };
}

function pageHtml(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const title = vscode.l10n.t("Inference Chat");
  return pageDocument(
    { ...chatPageParts, language: vscode.env.language, title, source: webview.cspSource },
    (name) => webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, "dist", "webview", name)).toString(),
  );
}
