import * as vscode from "vscode";
import type { ContextRequest } from "../../chat/contextProtocol.ts";
import type { ChatHeader, FromWebview, ToWebview } from "../../chat/panelProtocol.ts";
import { EventBatches } from "../../chat/eventBatches.ts";
import { readFromWebview } from "../../chat/panelMessages.ts";
import { sentText, visibleTurns } from "../../chat/transcript.ts";
import { type Attachment, withoutContent } from "../../chat/attachments.ts";
import { withoutContents, withoutEventContents } from "../../chat/pageTranscript.ts";
import { usualRatio } from "../../chat/tokenEstimate.ts";
import { unencryptedHost } from "../../connection/connection.ts";
import type { DiagnosisActionId } from "../../connection/diagnosis.ts";
import { commandIds } from "../../contributions.ts";
import { requireConnection } from "../chooseConnection.ts";
import type { CodeBlockActions } from "../codeBlockActions.ts";
import type { ChatContext } from "../context/chatContext.ts";
import { ChatInstructions } from "../prompts/chatInstructions.ts";
import type { ChatPrompts } from "../prompts/chatPrompts.ts";
import type { ModelRooms } from "../context/modelRooms.ts";
import { tellError } from "../errorReason.ts";
import { runDiagnosisAction } from "../failureNotice.ts";
import { fallbackModel, type WorkspaceConnections } from "../workspaceConnections.ts";
import { findWorkspaceFiles, openWorkspaceFile } from "../workspaceFiles.ts";
import type { Chat } from "./chat.ts";
import { mayGoTo } from "./chatConsent.ts";
import { prepareQuestion } from "./prepareQuestion.ts";
import type { OutgoingTexts } from "../outgoingTexts.ts";
import type { TokenCaps } from "./tokenCaps.ts";

export interface ChatPageOptions {
  readonly connections: WorkspaceConnections;
  readonly caps: TokenCaps;
  readonly outgoing: OutgoingTexts;
  readonly loadCodeActions: () => Promise<CodeBlockActions>;
  readonly rooms: ModelRooms;
  readonly context: ChatContext;
  readonly prompts: ChatPrompts;
  readonly newChat: () => Chat;
  readonly keepDraft: (chatId: string, draft: string) => void;
  /** Hears which chat the page shows, whenever that changes. */
  readonly onChat: (chat: Chat) => void;
  /** Hears which chat something is done in. */
  readonly onUse: (chat: Chat) => void;
  /** Hears of a chat that the page no longer shows. */
  readonly onLeave: (chat: Chat) => void;
  readonly post: (message: ToWebview) => void;
}

/** The host's half of one page: the page shows a chat, and what is done there is done to that chat. */
export class ChatPage implements vscode.Disposable {
  readonly #options: ChatPageOptions;
  readonly #subscription: vscode.Disposable;
  readonly #events = new EventBatches((events) =>
    this.#options.post({ type: "transcript-events", events: events.map(withoutEventContents) }),
  );
  /** What the next question is sent with, as the page knows it. */
  readonly #instructions: ChatInstructions;
  #chat: Chat;
  #leaveChat: () => void;
  /** Whether the page has asked for its first state; before that nothing is posted. */
  #ready = false;
  #focusWanted = false;

  constructor(options: ChatPageOptions, chat: Chat) {
    this.#options = options;
    this.#chat = chat;
    this.#leaveChat = this.#listenTo(chat);
    const postHeader = (): void => this.#post({ type: "header", header: this.#header() });
    this.#instructions = new ChatInstructions(options.prompts, (instructions) =>
      this.#post({ type: "instructions", instructions: instructions.map(withoutContent) }),
    );
    this.#subscription = vscode.Disposable.from(
      this.#instructions,
      vscode.workspace.onDidGrantWorkspaceTrust(postHeader),
      options.connections.onDidChange(postHeader),
      options.rooms.onDidChange(postHeader),
    );
  }

  get chat(): Chat {
    return this.#chat;
  }

  /** Shows another chat; the one before goes on by itself. */
  show(chat: Chat): void {
    if (chat === this.#chat) return;
    const left = this.#chat;
    this.#leaveChat();
    this.#chat = chat;
    this.#leaveChat = this.#listenTo(chat);
    this.#postSnapshot();
    this.#options.onChat(chat);
    this.#options.onUse(chat);
    this.#options.onLeave(left);
  }

  /** Puts the focus into the composer, as soon as the page is there. */
  focusComposer(): void {
    this.#options.onUse(this.#chat);
    this.#focusWanted = !this.#ready;
    this.#post({ type: "focus-composer" });
  }

  /**
   * Asks in the page's chat, with these attachments only: what the user has typed and attached there stays.
   * A question that may not be sent is left in the composer.
   */
  async ask(text: string, attachments: readonly Attachment[]): Promise<void> {
    this.#options.onUse(this.#chat);
    await this.#send(text, undefined, attachments);
  }

  /** Takes a message of the page; what is none of the contract's is ignored. */
  receive(message: unknown): void {
    const read = readFromWebview(message);
    if (read === undefined) return;
    this.#options.onUse(this.#chat);
    this.#handle(read).catch((error: unknown) =>
      tellError(error, (reason) => vscode.l10n.t("Inference Chat: {0}", reason)),
    );
  }

  dispose(): void {
    this.#ready = false;
    this.#leaveChat();
    this.#events.dispose();
    this.#subscription.dispose();
    this.#options.onLeave(this.#chat);
  }

  async #handle(message: FromWebview): Promise<void> {
    const { session } = this.#chat;
    switch (message.type) {
      case "ready":
        this.#start();
        return;
      case "send":
        return this.#send(message.text);
      case "edit":
        return this.#send(message.text, message.turnId);
      case "retry":
        return this.#retry(message.turnId);
      case "stop":
        session.stop();
        return;
      case "retry-now":
        session.retryNow();
        return;
      case "keep-waiting":
        session.keepWaiting();
        return;
      case "continue":
        // A question like any other: what is shown is what was sent.
        return this.#send(
          vscode.l10n.t("Continue exactly where you stopped, without repeating anything."),
          undefined,
          [],
        );
      case "select-version":
        session.selectVersion(message.turnId);
        return;
      case "new-chat":
        this.#showNewChat();
        return;
      case "draft":
        // A page that has just gone on to another chat may still speak of the one before.
        this.#options.keepDraft(message.chatId, message.text);
        return;
      case "choose":
        return this.#choose(message.what);
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
      case "find-files":
        this.#post({ type: "files-found", names: await findWorkspaceFiles(message.names) });
        return;
      case "code-action":
        return (await this.#options.loadCodeActions()).run(message.action, message.block);
      case "apply-answer":
        return this.#applyAnswer(message.turnId);
    }
  }

  /**
   * Asks which connection first, where none is bound; the text goes back to the composer on "no". With
   * a turn it takes that question's place, unless a new chat was begun, which has no such turn.
   */
  async #send(text: string, turnId?: string, along?: readonly Attachment[]): Promise<void> {
    const before = this.#chat;
    // An edited question takes its own attachments along; the next one's stay with the composer.
    const given = along ?? (turnId === undefined ? undefined : attachmentsOf(before, turnId));
    const question = before.session.busy
      ? undefined
      : await prepareQuestion(this.#options, before, text, given, (sent) => this.#mayBeAsked(sent));
    const { session } = this.#chat;
    if (question === undefined || session.busy) {
      this.#restore(text, along ?? []);
      return;
    }
    const attachments = question.attachments ?? before.takeAttachments();
    if (turnId !== undefined && this.#chat === before) {
      return session.edit(turnId, question.text, attachments, question.along);
    }
    if (along === undefined) this.#options.keepDraft(before.id, "");
    await session.send(question.text, attachments, question.along);
  }

  async #applyAnswer(turnId: string): Promise<void> {
    const turn = this.#chat.session.transcript.turns.find(({ id }) => id === turnId);
    if (turn?.kind === "answer") await (await this.#options.loadCodeActions()).applyAnswer(turn.text);
  }

  /** Nothing that was to be sent is lost. */
  #restore(text: string, attachments: readonly Attachment[]): void {
    const { draft } = this.#chat;
    if (this.#ready) this.#post({ type: "restore-draft", text });
    else this.#options.keepDraft(this.#chat.id, draft === "" ? text : `${draft}\n\n${text}`);
    this.#chat.attach(attachments);
  }

  async #runDiagnosisAction(action: DiagnosisActionId, turnId: string | undefined): Promise<void> {
    const { connections } = this.#options;
    const turn = visibleTurns(this.#chat.session.transcript).find(({ id }) => id === turnId);
    const owner = turn?.kind === "answer" ? { connectionName: turn.connection, connections } : undefined;
    await runDiagnosisAction(action, owner, () => (turnId === undefined ? undefined : this.#retry(turnId)));
  }

  async #retry(turnId: string): Promise<void> {
    const before = this.#chat;
    await before.session.end(turnId);
    const branch = visibleTurns(before.session.transcript);
    const answer = branch.findIndex(({ id }) => id === turnId);
    const question = branch.slice(0, Math.max(answer, 0)).findLast((turn) => turn.kind === "question");
    if (!(await this.#mayBeAsked(question === undefined ? "" : sentText(question)))) return;
    // A new chat has not been asked yet: the question goes along, the conversation before it does not.
    if (this.#chat === before) await before.session.retry(turnId);
    else if (question !== undefined) {
      const { text, attachments, prompt, instructions = [] } = question;
      const sent = { ...(prompt === undefined ? {} : { prompt }), instructions };
      await this.#chat.session.send(text, attachments, sent);
    }
  }

  /** Whether this workspace's connection may be sent the chat, or a new one the user wants instead. */
  async #mayBeAsked(text: string): Promise<boolean> {
    const connection = await requireConnection(this.#options.connections);
    if (connection === undefined) return false;
    return (
      this.#follow(await mayGoTo(connection, this.#chat.session.transcript)) &&
      this.#follow(
        await this.#options.caps.mayAsk(this.#chat.id, this.#chat.session.transcript, connection, text),
      )
    );
  }

  #follow(answer: "yes" | "in-new-chat" | "no"): boolean {
    if (answer === "in-new-chat") this.#showNewChat();
    return answer !== "no";
  }

  async #handleContext(request: ContextRequest): Promise<void> {
    await this.#options.context.handle(request, this.#chat, (answer) => this.#post(answer));
    // The editor's own lists have taken the focus.
    if (request.type === "choose" || request.type === "attach") this.focusComposer();
  }

  #showNewChat(): void {
    this.show(this.#options.newChat());
    this.focusComposer();
  }

  async #choose(what: "connection" | "model" | "client-style"): Promise<void> {
    switch (what) {
      case "connection":
        return vscode.commands.executeCommand(commandIds.useConnection);
      case "model":
        return vscode.commands.executeCommand(commandIds.selectModel);
      case "client-style":
        return vscode.commands.executeCommand(commandIds.selectClientStyle);
    }
  }

  #listenTo(chat: Chat): () => void {
    return chat.listen({
      eventsCame: (events) => {
        if (this.#ready) this.#events.add(events);
      },
      attachmentsChanged: () => {
        this.#post({ type: "attachments", attachments: chat.attachments.map(withoutContent) });
        this.#instructions.read(chat.attachments);
      },
    });
  }

  #start(): void {
    this.#ready = true;
    this.#postSnapshot();
    if (this.#focusWanted) this.focusComposer();
  }

  #header(): ChatHeader {
    const { connections, rooms } = this.#options;
    const { current } = connections;
    const choosable = connections.all.length > 0;
    const trust = vscode.workspace.isTrusted ? {} : { restricted: true as const };
    if (current === undefined) {
      return {
        ...trust,
        connection: null,
        choosable,
        model: fallbackModel,
        clientStyle: "chat-completions",
        room: { maxTokens: 0, charactersPerToken: usualRatio.charactersPerToken },
      };
    }
    const host = unencryptedHost(current);
    const model = connections.modelFor(current);
    const clientStyle = connections.clientStyleFor(current);
    return {
      ...trust,
      connection: current.name,
      choosable,
      model,
      clientStyle,
      room: rooms.roomOf(current, model, clientStyle),
      ...(host === undefined ? {} : { unencryptedHost: host }),
    };
  }

  #postSnapshot(): void {
    const { id, session, draft, attachments } = this.#chat;
    this.#post({
      type: "snapshot",
      snapshot: {
        chatId: id,
        transcript: withoutContents(session.transcript),
        header: this.#header(),
        draft,
        attachments: attachments.map(withoutContent),
        translations: vscode.l10n.bundle ?? {},
      },
    });
    if (this.#ready) this.#instructions.read(attachments);
  }

  #post(message: ToWebview): void {
    if (!this.#ready) return;
    this.#events.flush();
    this.#options.post(message);
  }
}

/** Web and mail links only; the editor asks before it leaves for another site. */
async function openLink(href: string): Promise<void> {
  const url = URL.parse(href);
  if (url === null || !["https:", "http:", "mailto:"].includes(url.protocol)) return;
  await vscode.env.openExternal(vscode.Uri.parse(url.href, true));
}

function attachmentsOf(chat: Chat, turnId: string): readonly Attachment[] {
  const turn = chat.session.transcript.turns.find(({ id }) => id === turnId);
  return turn?.kind === "question" ? (turn.attachments ?? []) : [];
}
