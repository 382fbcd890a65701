import assert from "node:assert/strict";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import * as vscode from "vscode";
import type { AnswerTools } from "../../src/chat/agent/answerTools.ts";
import type { CallReply, CallRequest, CallResult } from "../../src/chat/transcript/steps.ts";
import { createPlanTools } from "../../src/editor/agent/agentTools.ts";
import { ApiKeyStore } from "../../src/editor/key/apiKeyStore.ts";
import { OutgoingTexts } from "../../src/editor/service/outgoingTexts.ts";
import { SearchedKeys } from "../../src/editor/service/searchedKeys.ts";
import { ConnectionWorkspaces, WorkspaceBinding } from "../../src/editor/workspace/workspaceBinding.ts";
import { WorkspaceConnections } from "../../src/editor/workspace/workspaceConnections.ts";
import { readToolArguments } from "../../src/protocol/conversation/toolCalls.ts";
import { sealKey } from "../support/sealFor.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { companionStores } from "./companionStores.ts";
import { writeConnections } from "./testConnections.ts";
import { workspaceFolder } from "./withConnection.ts";

const home = "https://h.example";

/** A folder of the workspace for the files of these tests. */
export const ownFolder = "agent-tools";
/** The key that secret storage holds. */
export const storedKey = fakeKey("of-agent-tools-0123456789");

/** The tools of an answer, with the user's replies. */
class AgentBench {
  tools: AnswerTools | undefined;
  reply: CallReply | ((request: CallRequest) => Promise<CallReply>) = { type: "deny", why: "" };
  /** Requests to the user in this test. */
  readonly asked: CallRequest[] = [];
  root = "";
  /** A folder outside the workspace, with its links resolved. */
  outside = "";
  clean: (text: string) => Promise<string> = async (text) => text;

  at(name: string): vscode.Uri {
    return vscode.Uri.file(path.join(this.root, name));
  }

  async write(name: string, content: string | Uint8Array, folder = this.root): Promise<void> {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }

  /** Replaces the tools by those of another answer. */
  startAnswer(timeoutMs?: number): AnswerTools {
    return (this.tools = createPlanTools(async () => true, this.clean, timeoutMs));
  }

  /** Runs a call as an answer does. */
  call(name: string, given: unknown, signal = new AbortController().signal): Promise<CallResult> {
    const tools = this.tools ?? this.startAnswer();
    const ask = async (request: CallRequest): Promise<CallReply> => {
      this.asked.push(request);
      return typeof this.reply === "function" ? this.reply(request) : this.reply;
    };
    return tools.run(
      { type: "tool-call", id: "call_1", name, arguments: readToolArguments(given) },
      { signal, ask },
    );
  }

  async textOf(name: string, given: unknown): Promise<string> {
    const { outcome, text } = await this.call(name, given);
    assert.equal(outcome, "done", text);
    return text;
  }

  async faultOf(name: string, given: unknown): Promise<string> {
    const { outcome, text } = await this.call(name, given);
    assert.equal(outcome, "failed", text);
    return text;
  }
}

/** Adds hooks to the surrounding `describe`: its tools take the stored key out of their results as the product does. */
export function withAgentTools(): AgentBench {
  const bench = new AgentBench();
  const owned: vscode.Disposable[] = [];
  let keys: ApiKeyStore | undefined;

  before(async () => {
    bench.root = path.join(workspaceFolder().uri.fsPath, ownFolder);
    await mkdir(bench.root);
    bench.outside = await realpath(await mkdtemp(path.join(tmpdir(), "outside-")));
    const { secrets, globalState, workspaceState } = await companionStores();
    await writeConnections([{ name: "Agent", baseUrl: home }]);
    keys = new ApiKeyStore(secrets, {}, globalState);
    const connections = new WorkspaceConnections(
      new WorkspaceBinding(workspaceState),
      new ConnectionWorkspaces(globalState),
    );
    owned.push(connections, keys);
    await keys.store("Agent", sealKey(storedKey, home));
    const outgoing = new OutgoingTexts(new SearchedKeys(connections, keys));
    bench.clean = (text) => outgoing.cleanText(text);
  });
  beforeEach(() => {
    bench.tools = undefined;
    bench.reply = { type: "deny", why: "" };
    bench.asked.length = 0;
  });
  after(async () => {
    await keys?.remove("Agent");
    for (const each of owned) each.dispose();
    await writeConnections(undefined);
    await rm(bench.root, { recursive: true });
    await rm(bench.outside, { recursive: true });
  });
  return bench;
}

/** Replaces functions of VS Code's file system until it is disposed. */
export function replaceFileSystem(replaced: Partial<vscode.FileSystem>): Disposable {
  const descriptor = Object.getOwnPropertyDescriptor(vscode.workspace, "fs");
  assert.ok(descriptor);
  const { fs } = vscode.workspace;
  Object.defineProperty(vscode.workspace, "fs", { configurable: true, value: { ...fs, ...replaced } });
  return { [Symbol.dispose]: () => Object.defineProperty(vscode.workspace, "fs", descriptor) };
}

/** Replaces the folders of the workspace until it is disposed. */
export function replaceFolders(uris: readonly vscode.Uri[]): Disposable {
  const { getWorkspaceFolder } = vscode.workspace;
  const descriptor = Object.getOwnPropertyDescriptor(vscode.workspace, "workspaceFolders");
  assert.ok(descriptor);
  const folders = uris.map((uri, index) => ({ uri, name: path.posix.basename(uri.path), index }));
  Object.defineProperty(vscode.workspace, "workspaceFolders", { configurable: true, get: () => folders });
  Object.assign(vscode.workspace, {
    getWorkspaceFolder: (uri: vscode.Uri) => folders.findLast((folder) => isIn(folder.uri, uri)),
  });
  return {
    [Symbol.dispose]: () => {
      Object.defineProperty(vscode.workspace, "workspaceFolders", descriptor);
      Object.assign(vscode.workspace, { getWorkspaceFolder });
    },
  };
}

function isIn(folder: vscode.Uri, uri: vscode.Uri): boolean {
  return uri.scheme === folder.scheme && (uri.path === folder.path || uri.path.startsWith(`${folder.path}/`));
}
