import * as vscode from "vscode";
import type { AnswererChoice } from "../../chat/answerer.ts";
import type { ContextRequest } from "../../chat/contextProtocol.ts";
import type { ChatHeader, FromWebview, ToWebview } from "../../chat/panelProtocol.ts";
import { isAboutChat, readPageMessage } from "../../chat/panelMessages.ts";
import { type AnswerTurn, visibleTurns } from "../../chat/transcript.ts";
import { type Attachment, withoutContent } from "../../chat/attachments.ts";
import { withoutContents, withoutEventContents } from "../../chat/pageTranscript.ts";
import { usualRatio } from "../../chat/tokenEstimate.ts";
import { type Connection, unencryptedHost } from "../../connection/connection.ts";
import type { DiagnosisActionId } from "../../connection/diagnosis.ts";
import { commandIds } from "../../contributions.ts";
import { requireConnection } from "../chooseConnection.ts";
import type { CodeBlockActions } from "../codeBlockActions.ts";
import type { ChatContext } from "../context/chatContext.ts";
import type { ModelRooms } from "../context/modelRooms.ts";
import { runDiagnosisAction } from "../failureNotice.ts";
import { askClientStyle } from "../inputs.ts";
import { fallbackModel, type WorkspaceConnections } from "../workspaceConnections.ts";
import { findWorkspaceFiles, openWorkspaceFile } from "../workspaceFiles.ts";
import type { Chat } from "./chat.ts";
import { mayGoTo } from "./chatConsent.ts";
import type { OutgoingTexts } from "../outgoingTexts.ts";
import type { TokenCaps } from "./tokenCaps.ts";

export interface ChatPageOptions {
  readonly connections: WorkspaceConnections;
  readonly caps: TokenCaps;
  /** Asks who is to give another answer in this one's place; undefined where nobody is. */
  readonly chooseAnswerer: (
    connection: Connection,
    answer: AnswerTurn,
  ) => Promise<AnswererChoice | undefined>;
  readonly outgoing: OutgoingTexts;
  readonly loadCodeActions: () => Promise<CodeBlockActions>;
  readonly rooms: ModelRooms;
  readonly context: ChatContext;
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
    this.#subscription = vscode.Disposable.from(
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

  /** Takes a message of the page; what is none of the contract's is ignored. */
  receive(posted: unknown): void {
    const read = readPageMessage(posted);
    if (read === undefined) return;
    this.#options.onUse(this.#chat);
    const { chatId, message } = read;
    if (chatId !== null && chatId !== this.#chat.id && isAboutChat(message)) {
      this.#takeLate(message);
      return;
    }
    this.#handle(message).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      void vscode.window.showErrorMessage(vscode.l10n.t("Inference Chat: {0}", reason));
    });
  }

  dispose(): void {
    this.#ready = false;
    this.#leaveChat();
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
      case "retry-with":
        return this.#retryWith(message.turnId);
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
        return this.#continue();
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
    }
  }

  /**
   * Asks which connection first, where none is bound; the text goes back to the composer on "no". With
   * a turn it takes that question's place, unless a new chat was begun, which has no such turn.
   */
  async #send(text: string, turnId?: string, along?: readonly Attachment[]): Promise<void> {
    const before = this.#chat;
    const counted = along ?? (turnId === undefined ? before.attachments : attachmentsOf(before, turnId));
    const goesOut = !before.session.busy && (await this.#mayBeAsked(text, counted));
    const question = goesOut ? await this.#options.outgoing.cleanQuestion(text) : text;
    const { session } = this.#chat;
    if (!goesOut || session.busy) {
      this.#post({ type: "restore-draft", text });
      return;
    }
    const replaces = turnId !== undefined && this.#chat === before;
    if (replaces) return session.edit(turnId, question);
    // An edited question takes its own attachments along; the next one's stay with the composer.
    const attachments =
      along ?? (turnId === undefined ? before.takeAttachments() : attachmentsOf(before, turnId));
    this.#options.keepDraft(before.id, "");
    await session.send(question, attachments);
  }

  /** A question like any other, so that what is shown is what was sent; in no other chat, where it means nothing. */
  async #continue(): Promise<void> {
    const text = vscode.l10n.t("Continue exactly where you stopped, without repeating anything.");
    const before = this.#chat;
    if (before.session.busy || !(await this.#mayBeAsked(text))) return;
    if (this.#chat === before) await before.session.send(text);
  }

  async #runDiagnosisAction(action: DiagnosisActionId, turnId: string | undefined): Promise<void> {
    const { connections } = this.#options;
    const turn = visibleTurns(this.#chat.session.transcript).find(({ id }) => id === turnId);
    const owner = turn?.kind === "answer" ? { connectionName: turn.connection, connections } : undefined;
    await runDiagnosisAction(action, owner, () => (turnId === undefined ? undefined : this.#retry(turnId)));
  }

  /** Nothing is done to a chat that was not meant, and no text is lost. */
  #takeLate(message: FromWebview): void {
    if (message.type === "send" || message.type === "edit")
      this.#post({ type: "restore-draft", text: message.text });
  }

  /** By another model or client style, for this one answer. */
  async #retryWith(turnId: string): Promise<void> {
    const { connections, chooseAnswerer } = this.#options;
    const connection = await requireConnection(connections);
    const answer = visibleTurns(this.#chat.session.transcript).find(({ id }) => id === turnId);
    if (connection === undefined || answer?.kind !== "answer") return;
    const chat = this.#chat;
    const choice = await chooseAnswerer(connection, answer);
    if (this.#chat !== chat) return;
    if (choice === undefined) {
      this.#post({ type: "focus-page" });
      return;
    }
    this.focusComposer();
    await this.#retry(turnId, choice);
  }

  async #retry(turnId: string, choice?: AnswererChoice): Promise<void> {
    const before = this.#chat;
    const branch = visibleTurns(before.session.transcript);
    const answer = branch.find(({ id }) => id === turnId);
    const question = branch.find(({ id }) => id === answer?.parentId);
    if (question === undefined) return;
    // What the service has counted once was counted with its attachments.
    const isCounted = answer?.kind === "answer" && answer.usage !== undefined;
    const attachments = isCounted ? [] : attachmentsOf(before, question.id);
    if (!(await this.#mayBeAsked(question.text, attachments))) return;
    await before.session.end(turnId);
    // A new chat has not been asked yet: the question goes along, the conversation before it does not.
    if (this.#chat === before) await before.session.retry(turnId, choice);
    else await this.#chat.session.send(question.text, attachmentsOf(before, question.id), choice);
  }

  /** Whether this workspace's connection may be sent the chat, or a new one the user wants instead. */
  async #mayBeAsked(text: string, attachments: readonly Attachment[] = []): Promise<boolean> {
    const connection = await requireConnection(this.#options.connections);
    if (connection === undefined) return false;
    return (
      this.#follow(await mayGoTo(connection, this.#chat.session.transcript)) &&
      this.#follow(
        await this.#options.caps.mayAsk(
          this.#chat.id,
          this.#chat.session.transcript,
          connection,
          text,
          attachments,
        ),
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
        return this.#chooseClientStyle();
    }
  }

  async #chooseClientStyle(): Promise<void> {
    const { connections } = this.#options;
    const connection = await requireConnection(connections);
    if (connection === undefined) return;
    const address = connection.address.kind === "address" ? connection.address.address : undefined;
    const title = vscode.l10n.t("Client Style of {0} in This Workspace", connection.name);
    const style = await askClientStyle(title, address, connections.clientStyleFor(connection));
    if (style !== undefined) await connections.chooseClientStyle(connection, style);
  }

  #listenTo(chat: Chat): () => void {
    return chat.listen({
      eventsCame: (events) =>
        this.#post({ type: "transcript-events", events: events.map(withoutEventContents) }),
      attachmentsChanged: () =>
        this.#post({ type: "attachments", attachments: chat.attachments.map(withoutContent) }),
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
    if (current === undefined) {
      return {
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
  }

  #post(message: ToWebview): void {
    if (this.#ready) this.#options.post(message);
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
