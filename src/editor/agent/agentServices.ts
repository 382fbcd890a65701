import { createHash } from "node:crypto";
import type * as vscode from "vscode";
import { withPlainLineEnds } from "../../chat/agent/textEdit.ts";
import { realPlaceOf } from "../files/realPlaces.ts";
import type { State } from "../workspace/state.ts";
import { AgentCommands } from "./agentCommands.ts";
import { AnswerChanges } from "./answerChanges.ts";
import { CommandApprovals } from "./approvals.ts";
import { FileCopies } from "./fileCopies.ts";
import { OtherTools } from "./otherTools.ts";

/** Whether the user types in a chat page. The pages report it. */
export class TypingWatch {
  readonly #pages = new Set<object>();

  get isTyping(): boolean {
    return this.#pages.size > 0;
  }

  note(page: object, isTyping: boolean): void {
    if (isTyping) this.#pages.add(page);
    else this.#pages.delete(page);
  }
}

/** Services of Agent mode for all chats of the window. */
export interface AgentServices extends vscode.Disposable {
  readonly approvals: CommandApprovals;
  readonly changes: AnswerChanges;
  readonly commands: AgentCommands;
  readonly copies: FileCopies;
  readonly readTexts: ReadTexts;
  readonly others: OtherTools;
  readonly typing: TypingWatch;
}

interface AgentContext {
  readonly workspaceState: State;
  readonly storageUri?: vscode.Uri | undefined;
  /** Absolute path of the folder for copies of files, which undo needs. */
  readonly copiesFolder: string;
  /** Finds the names of the environment variables that hold keys. */
  readonly findKeyVariables: () => Promise<readonly string[]>;
}

export function createAgentServices(context: AgentContext): AgentServices {
  const { workspaceState: state, storageUri, copiesFolder, findKeyVariables } = context;
  const copies = new FileCopies({ folder: copiesFolder });
  const changes = new AnswerChanges(copies);
  const commands = new AgentCommands({ state, storageUri, findKeyVariables });
  return {
    approvals: new CommandApprovals(state),
    changes,
    commands,
    copies,
    readTexts: new ReadTexts(),
    others: new OtherTools(state),
    typing: new TypingWatch(),
    dispose: () => {
      changes.dispose();
      commands.dispose();
    },
  };
}

/** Texts that are remembered. The oldest goes first. */
const maxTexts = 20_000;

/** Whether the model knows the text of a file. */
type Knowledge = "unread" | "changed" | "known";

/** Remembers what the model has read in each chat, by a hash of the text. Kept until the window is reloaded. */
class ReadTexts {
  readonly #hashes = new Map<string, string>();

  /** @param text the whole text, with any line ends; of a part that was read, too */
  async note(chatId: string, uri: vscode.Uri, text: string): Promise<void> {
    const key = keyOf(chatId, await realPlaceOf(uri));
    this.#hashes.delete(key);
    this.#hashes.set(key, hashOf(text));
    const [oldest] = this.#hashes.keys();
    if (this.#hashes.size > maxTexts && oldest !== undefined) this.#hashes.delete(oldest);
  }

  async knowledgeOf(chatId: string, uri: vscode.Uri, text: string): Promise<Knowledge> {
    const hash = this.#hashes.get(keyOf(chatId, await realPlaceOf(uri)));
    if (hash === undefined) return "unread";
    return hash === hashOf(text) ? "known" : "changed";
  }
}

function keyOf(chatId: string, uri: vscode.Uri): string {
  return `${chatId} ${uri.toString()}`;
}

function hashOf(text: string): string {
  return createHash("sha256").update(withPlainLineEnds(text)).digest("base64");
}
