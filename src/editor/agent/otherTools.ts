import * as v from "valibot";
import * as vscode from "vscode";
import { ToolArgumentError } from "../../chat/agent/toolParameters.ts";
import { type ReadResult, readToolResult } from "../../chat/agent/otherTools.ts";
import {
  describeListed,
  findArgumentFaults,
  hashTool,
  type ListedTool,
  offeredName,
} from "../../chat/agent/otherTools.ts";
import type { CallRequest, CallResult } from "../../chat/transcript/steps.ts";
import { extensionId } from "../../contributions.ts";
import type { ToolArguments } from "../../protocol/conversation/conversation.ts";
import { type Fields, isFields } from "../../protocol/conversation/json.ts";
import { toCancellationToken } from "../shared/cancellationToken.ts";
import { isCancelled } from "../shared/errorReason.ts";
import type { State } from "../workspace/state.ts";
import { type AgentRun, type AgentTool, DeniedError, requireAllowed, ToolError } from "./agentTool.ts";

/** A tool of an MCP server or of another extension, as VS Code lists it now. */
export interface OtherTool extends ListedTool {
  /** The name that the tool shows to people. */
  readonly title: string;
  /** The server or extension, as the user sees it. */
  readonly source: string;
  readonly isOfServer: boolean;
  readonly hash: string;
}

const contributionSchema = v.object({ name: v.string(), displayName: v.exactOptional(v.string()) });

/**
 * The tools of MCP servers and of other extensions. VS Code also lists tools of its own, which only its own chat can
 * use. It has no event for changes.
 */
export function listOtherTools(): readonly OtherTool[] {
  if (!vscode.workspace.isTrusted) return [];
  const contributed = contributedTools();
  return vscode.lm.tools.flatMap((tool): OtherTool[] => {
    const { name, description, inputSchema, tags } = tool;
    const owner = contributed.get(name);
    if (owner === undefined && !tags.includes("mcp")) return [];
    const listed = { name, description, schema: isFields(inputSchema) ? inputSchema : {} };
    const { title, source } = owner ?? { title: name, source: serverOf(tool) };
    return [{ ...listed, title, source, isOfServer: owner === undefined, hash: hashTool(listed) }];
  });
}

/** Newer versions name the server in front of the tool, as the server's configuration does. */
function serverOf(tool: object): string {
  const reference = "fullReferenceName" in tool ? tool.fullReferenceName : undefined;
  const server = typeof reference === "string" ? /^(.+)\/[^/]+$/.exec(reference)?.[1] : undefined;
  return server === undefined ? vscode.l10n.t("MCP server") : vscode.l10n.t("MCP server '{0}'", server);
}

interface Contributed {
  readonly title: string;
  readonly source: string;
}

/** Tools by name of installed extensions. Extensions that VS Code brings, and this one, do not count. */
function contributedTools(): ReadonlyMap<string, Contributed> {
  const tools = vscode.extensions.all.flatMap(({ id, packageJSON: manifest }): [string, Contributed][] => {
    if (id.toLowerCase() === extensionId || !isFields(manifest) || manifest["isBuiltin"] === true) return [];
    const { contributes, displayName } = manifest;
    const listed = isFields(contributes) ? contributes["languageModelTools"] : undefined;
    const source = typeof displayName === "string" && displayName !== "" ? displayName : id;
    return (Array.isArray(listed) ? listed : []).flatMap((each): [string, Contributed][] => {
      const { success, output } = v.safeParse(contributionSchema, each);
      return success ? [[output.name, { title: output.displayName ?? output.name, source }]] : [];
    });
  });
  return new Map(tools);
}

const selectionKey = "agent.selectedTools";
const selectionSchema = v.array(v.object({ name: v.string(), hash: v.string() }));
export type SelectedTool = v.InferOutput<typeof selectionSchema>[number];

/** Hash of a selected tool of this extension, which changes only with its own updates. */
export const ownToolHash = "own";

/** The tools beyond the usual ones that the user has selected in this workspace, and permissions of the session. */
export class OtherTools {
  readonly #state: State;
  /** Hashes of tools that are allowed until the window is reloaded. */
  readonly #allowed = new Map<string, string>();

  /** @param state the state of the workspace */
  constructor(state: State) {
    this.#state = state;
  }

  get selected(): readonly SelectedTool[] {
    const { success, output } = v.safeParse(selectionSchema, this.#state.get(selectionKey));
    return success ? output : [];
  }

  async select(tools: readonly SelectedTool[]): Promise<void> {
    const selected = tools.map(({ name, hash }) => ({ name, hash }));
    await this.#state.update(selectionKey, selected.length === 0 ? undefined : selected);
  }

  /** Whether the tool is selected as it is now. */
  isSelected({ name, hash }: SelectedTool): boolean {
    return this.selected.some((each) => each.name === name && each.hash === hash);
  }

  /** Titles of the tools that are allowed for this session. */
  get allowedTitles(): readonly string[] {
    return [...this.#allowed.values()];
  }

  isAllowed({ hash }: OtherTool): boolean {
    return this.#allowed.has(hash);
  }

  allow({ hash, title }: OtherTool): void {
    this.#allowed.set(hash, title);
  }

  forgetAllowed(): void {
    this.#allowed.clear();
  }

  /**
   * The selected tools for the next request, as they are now.
   * @param taken names of other tools in the request
   * @param room number of tools that the request can still have
   */
  toolsFor(taken: Iterable<string>, room: number): readonly AgentTool[] {
    const names = new Set(taken);
    const selected = listOtherTools().filter((tool) => this.isSelected(tool));
    return selected.slice(0, Math.max(0, room)).map((tool) => {
      const name = offeredName(tool.name, names);
      names.add(name);
      return {
        offered: describeListed(tool, name),
        endsItself: false,
        timeoutMs: callTimeoutMs,
        run: (given, run) => this.#run(tool, given, run),
      };
    });
  }

  async #run(tool: OtherTool, given: ToolArguments, run: AgentRun): Promise<CallResult> {
    if (given.kind === "invalid") throw new ToolArgumentError("The arguments are not a JSON object.");
    const faults = findArgumentFaults(tool.schema, given.value);
    if (faults !== undefined)
      throw new ToolArgumentError(`Not run: the arguments do not fit the schema of the tool.\n${faults}`);
    this.#requireUnchanged(tool);
    await this.#requireAllowed(tool, given.value, run);
    // The card may have been open for long.
    this.#requireUnchanged(tool);
    // An error of the tool is a text of its own, too.
    run.allowed.noteOutsideContent();
    const content = await invoke(tool.name, given.value, run.signal);
    return readResult(readToolResult(content), run);
  }

  /** @throws ToolError */
  #requireUnchanged(tool: OtherTool): void {
    const isThere = listOtherTools().some(({ name, hash }) => name === tool.name && hash === tool.hash);
    if (!isThere || !this.isSelected(tool)) throw new ToolError(changedText);
  }

  /**
   * Asks unless the tool is allowed for this session. VS Code's own question takes the next key that is typed. So while
   * the user types, a card asks, whose button takes the focus.
   * @throws DeniedError
   */
  async #requireAllowed(tool: OtherTool, given: Fields, run: AgentRun): Promise<void> {
    const { typing } = run.services;
    const { hasOutsideContent } = run.allowed;
    const wasAllowed = this.isAllowed(tool);
    if (wasAllowed && !hasOutsideContent && !typing.isTyping) return;
    const { title, source } = tool;
    const request = {
      type: "tool",
      title,
      source,
      arguments: JSON.stringify(given, null, 2),
      canAllowForSession: !wasAllowed && !hasOutsideContent,
      ...(wasAllowed ? { asksAgain: hasOutsideContent ? "outside-content" : "typing" } : {}),
    } as const satisfies CallRequest;
    do {
      const scope = await requireAllowed(run.ask(request));
      if (scope === "session" && request.canAllowForSession) this.allow(tool);
    } while (typing.isTyping);
  }
}

/** Milliseconds for a call with VS Code's own question. Time in which the card is open does not count. */
const callTimeoutMs = 300_000;

const changedText =
  "The tools changed: this tool is no longer there, or it is not what it was when it was offered. Nothing was run. The next request offers the tools as they are now.";

/** @throws DeniedError if the user says no to VS Code's own question, ToolError, and what the tool throws */
async function invoke(name: string, input: object, signal: AbortSignal): Promise<readonly unknown[]> {
  const { token, dispose } = toCancellationToken(signal);
  try {
    const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }, token);
    return content;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (isCancelled(error)) throw new DeniedError("", "The user denied this call in VS Code's own question.");
    if (/was not contributed|does not have an implementation/.test(message)) throw new ToolError(changedText);
    throw new ToolError(`The tool returned an error: ${message}`);
  } finally {
    dispose();
  }
}

/** Whether the tool succeeded is not known: VS Code does not say it. */
async function readResult({ text, images, isCut }: ReadResult, run: AgentRun): Promise<CallResult> {
  const clean = await run.clean(text);
  // The end of a text that was cut can be a part of a key.
  const shown = isCut ? clean.slice(0, Math.max(0, clean.length - endLength)) : clean;
  return {
    outcome: "done",
    text: shown.trim() === "" && images.length === 0 ? "The tool returned nothing." : shown,
    ...(images.length === 0 ? {} : { images }),
    ...(isCut ? { facts: { isCut } } : {}),
  };
}

/** UTF-16 units that are longer than a key. */
const endLength = 10_000;
