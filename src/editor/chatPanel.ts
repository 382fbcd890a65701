import * as vscode from "vscode";
import { type Answerer, ChatSession } from "../chat/chatSession.ts";
import { readFromWebview } from "../chat/panelMessages.ts";
import { visibleTurns } from "../chat/transcript.ts";
import type { ChatHeader, FromWebview, PanelSnapshot, ToWebview } from "../chat/panelProtocol.ts";
import type { Failure } from "../client/failure.ts";
import type { Connection } from "../connection/connection.ts";
import type { Diagnosis } from "../connection/diagnosis.ts";
import { commandIds } from "../contributions.ts";
import { requireConnection } from "./chooseConnection.ts";
import type { Asked, Clients } from "./clients.ts";
import type { CodeBlockActions } from "./codeBlockActions.ts";
import type { ConnectionHealth } from "./connectionHealth.ts";
import type { OutgoingTexts } from "./outgoingTexts.ts";
import { runDiagnosisAction } from "./failureNotice.ts";
import { askClientStyle } from "./inputs.ts";
import { readMaxTokensSetting } from "./settings.ts";
import { findWorkspaceFiles, openWorkspaceFile } from "./workspaceFiles.ts";
import { fallbackModel, type WorkspaceConnections } from "./workspaceConnections.ts";

export interface ChatPanelOptions {
  readonly connections: WorkspaceConnections;
  readonly clients: Clients;
  readonly health: ConnectionHealth;
  readonly outgoing: OutgoingTexts;
  readonly loadCodeActions: () => Promise<CodeBlockActions>;
}

type Post = (message: ToWebview) => void;

/** The host's half of the chat: it holds the conversation, the page shows it. */
export class ChatPanel implements vscode.Disposable {
  readonly #options: ChatPanelOptions;
  readonly #subscription: vscode.Disposable;
  #session: ChatSession;
  #draft = "";
  #focusWanted = false;
  /** The page, and whether it has asked for its first state; before that nothing is posted. */
  #page: { readonly post: Post; ready: boolean } | undefined;

  constructor(options: ChatPanelOptions) {
    this.#options = options;
    this.#session = this.#newSession();
    this.#subscription = options.connections.onDidChange(() =>
      this.#post({ type: "header", header: this.#header() }),
    );
  }

  /** Takes a page's way to be written to; the result is to be called when the page is gone. */
  attach(post: Post): () => void {
    const page = { post, ready: false };
    this.#page = page;
    return () => {
      if (this.#page === page) this.#page = undefined;
    };
  }

  /** Takes a message of the page; what is none of the contract's is ignored. */
  receive(message: unknown): void {
    const read = readFromWebview(message);
    if (read === undefined) return;
    this.#handle(read).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      void vscode.window.showErrorMessage(vscode.l10n.t("Inference Chat: {0}", reason));
    });
  }

  /** Ends what is arriving and starts an empty conversation. */
  newChat(): void {
    this.#session.stop();
    this.#session = this.#newSession();
    this.#postSnapshot();
    this.focusComposer();
  }

  /** Puts the focus into the composer, as soon as there is a page. */
  focusComposer(): void {
    this.#focusWanted = this.#page?.ready !== true;
    this.#post({ type: "focus-composer" });
  }

  dispose(): void {
    this.#session.stop();
    this.#subscription.dispose();
  }

  async #handle(message: FromWebview): Promise<void> {
    switch (message.type) {
      case "ready":
        this.#startPage();
        return;
      case "send":
        return this.#send(message.text);
      case "edit":
        return this.#send(message.text, message.turnId);
      case "retry":
        return this.#retry(message.turnId);
      case "stop":
        this.#session.stop();
        return;
      case "select-version":
        this.#session.selectVersion(message.turnId);
        return;
      case "new-chat":
        this.newChat();
        return;
      case "draft":
        this.#draft = message.text;
        return;
      case "choose":
        return this.#choose(message.what);
      case "copy":
        return vscode.env.clipboard.writeText(message.text);
      case "action":
        return runDiagnosisAction(message.action, () =>
          message.turnId === undefined ? undefined : this.#retry(message.turnId),
        );
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
  async #send(text: string, turnId?: string): Promise<void> {
    const before = this.#session;
    const goesOut = !this.#session.busy && (await this.#mayBeAsked());
    if (!goesOut || this.#session.busy) {
      this.#post({ type: "restore-draft", text });
      return;
    }
    this.#draft = "";
    const session = this.#session;
    const replaces = turnId !== undefined && session === before;
    await (replaces ? session.edit(turnId, text) : session.send(text));
  }

  /** One client's conversation goes to another only if the user says so; else in a chat of its own. */
  async #mayBeAsked(): Promise<boolean> {
    const connection = await requireConnection(this.#options.connections);
    if (connection === undefined) return false;
    const before = visibleTurns(this.#session.transcript).findLast(
      (turn) => turn.kind === "answer",
    )?.connection;
    if (before === undefined || before === connection.name) return true;
    const fresh = vscode.l10n.t("Start New Chat");
    const together = vscode.l10n.t("Send Everything");
    const chosen = await vscode.window.showWarningMessage(
      vscode.l10n.t("This conversation was with {0}. Send it to {1}?", before, connection.name),
      {
        modal: true,
        detail: vscode.l10n.t("With the question, all that was said before goes to the new connection."),
      },
      fresh,
      together,
    );
    if (chosen === fresh) this.newChat();
    return chosen !== undefined;
  }

  async #retry(turnId: string): Promise<void> {
    const before = this.#session;
    const branch = visibleTurns(before.transcript);
    const answer = branch.findIndex(({ id }) => id === turnId);
    const question = branch.slice(0, Math.max(answer, 0)).findLast(({ kind }) => kind === "question");
    if (!(await this.#mayBeAsked())) return;
    // A new chat has not been asked yet: the question goes along, the conversation before it does not.
    if (this.#session === before) await before.retry(turnId);
    else if (question !== undefined) await this.#session.send(question.text);
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

  #startPage(): void {
    if (this.#page !== undefined) this.#page.ready = true;
    this.#postSnapshot();
    if (this.#focusWanted) this.focusComposer();
  }

  #newSession(): ChatSession {
    const session: ChatSession = new ChatSession({
      answerer: () => this.#answerer(),
      onEvents: (events) => {
        if (session === this.#session) this.#post({ type: "transcript-events", events });
      },
      now: () => new Date(),
      newId: () => crypto.randomUUID(),
    });
    return session;
  }

  /** Who answers the next question: fixed when it is asked, whatever is chosen while it runs. */
  #answerer(): Answerer {
    const { connections, clients, health, outgoing } = this.#options;
    const connection = connections.current;
    if (connection === undefined)
      throw new Error(vscode.l10n.t("This workspace is not bound to a connection yet."));
    const model = connections.modelFor(connection);
    const clientStyle = connections.clientStyleFor(connection);
    const maxTokens = readMaxTokensSetting();
    return {
      connection: connection.name,
      model,
      clientStyle,
      answer: async function* answer(turns, signal) {
        const messages = await outgoing.clean(turns);
        const client = await clients.clientOf(connection);
        yield* client.streamChat(clientStyle, { model, messages, maxTokens, stream: true }, signal);
        if (!signal.aborted) health.succeeded(connection.name);
      },
      diagnose: (failure) => this.#diagnose(connection, failure, { model, clientStyle }),
    };
  }

  async #diagnose(connection: Connection, failure: Failure, asked: Asked): Promise<Diagnosis> {
    const { diagnose } = await this.#options.clients.serviceOf(connection, asked);
    const diagnosis = diagnose(failure);
    this.#options.health.failed(connection.name, diagnosis.cause, diagnosis.title);
    return diagnosis;
  }

  #header(): ChatHeader {
    const { connections } = this.#options;
    const { current } = connections;
    const choosable = connections.all.length > 0;
    if (current === undefined) {
      return { connection: null, choosable, model: fallbackModel, clientStyle: "chat-completions" };
    }
    return {
      connection: current.name,
      choosable,
      model: connections.modelFor(current),
      clientStyle: connections.clientStyleFor(current),
    };
  }

  #postSnapshot(): void {
    const snapshot: PanelSnapshot = {
      transcript: this.#session.transcript,
      header: this.#header(),
      draft: this.#draft,
      translations: vscode.l10n.bundle ?? {},
    };
    this.#post({ type: "snapshot", snapshot });
  }

  #post(message: ToWebview): void {
    if (this.#page?.ready === true) this.#page.post(message);
  }
}

/** Web and mail links only; the editor asks before it leaves for another site. */
async function openLink(href: string): Promise<void> {
  const url = URL.parse(href);
  if (url === null || !["https:", "http:", "mailto:"].includes(url.protocol)) return;
  await vscode.env.openExternal(vscode.Uri.parse(url.href, true));
}
