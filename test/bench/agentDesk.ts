/** Our chat in Plan mode in a real editor, with a model that plays a script of tool calls. */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { ScriptStep } from "../service/script.ts";
import type { ChatDesk } from "./chatDesk.ts";
import { ListProbe } from "./listProbe.ts";
import type { MainThread } from "./mainThread.ts";
import { nowInEpoch } from "./paintProbe.ts";
import type { ProbeResult } from "./probe/contract.ts";
import type { ProbedEditor } from "./probedEditor.ts";

/** The last text of each answer. */
const ending = "That was all of it.";
/** Lines of a sample file. A read returns all of them, because they are short. */
const linesInFile = 2_000;
const folder = "agent-bench";

/** The lines that a call reads. */
export interface SampleRead {
  readonly file: number;
  readonly firstLine: number;
  readonly lastLine: number;
}

/** One request of an answer. */
export type SeenRequest = ProbeResult<"takeRequests">[number];

export class AgentDesk {
  readonly #editor: ProbedEditor;
  readonly #chat: ChatDesk;
  /** Main threads of the window and of the page. */
  readonly #threads: MainThread;
  readonly #page: MainThread;

  private constructor(editor: ProbedEditor, chat: ChatDesk, threads: MainThread, page: MainThread) {
    this.#editor = editor;
    this.#chat = chat;
    this.#threads = threads;
    this.#page = page;
  }

  static async open(editor: ProbedEditor): Promise<AgentDesk> {
    const chat = await editor.openChat();
    const { port } = new URL(editor.scripted.service.origin);
    await editor.probe.call("watchRequests", { port: Number(port) });
    return new AgentDesk(editor, chat, await chat.threads(), await chat.thread());
  }

  /** Writes sample files into the workspace: the same call must not be made twice. */
  async writeFiles(count: number): Promise<void> {
    await mkdir(path.join(this.#editor.editor.workspace, folder), { recursive: true });
    for (let file = 0; file < count; file += 1) await writeFile(this.#pathOf(file), linesOf(file));
  }

  /** Returns the milliseconds that VS Code takes to read each of the first files, without our extension. */
  async readBare(count: number): Promise<readonly number[]> {
    const times: number[] = [];
    for (let file = 0; file < count; file += 1)
      times.push(await this.#editor.probe.call("readFile", { path: this.#pathOf(file) }));
    return times;
  }

  /**
   * Asks in a new chat. The model makes one call in each step, and ends the answer after the last result.
   * @param marks numbers of requests, from 0; each adds a value to `page`
   * @param pace milliseconds between two pieces of an answer
   * @returns all requests, one more than reads; `page` in milliseconds of processor time of the page's main thread
   * @throws Error if a result lacks its last line
   */
  async ask(
    question: string,
    reads: readonly SampleRead[],
    marks: readonly number[] = [],
    pace = 0,
  ): Promise<{ readonly requests: readonly SeenRequest[]; readonly page: readonly number[] }> {
    const { probe, scripted } = this.#editor;
    await this.#prepare(question);
    scripted.service.script.add(scriptOf(reads));
    await this.#threads.becomesStill();
    await probe.call("takeRequests", null);
    const times: Promise<number>[] = [];
    let count = 0;
    scripted.onToolRequest = () => {
      if (marks.includes(count)) times.push(this.#page.time());
      count += 1;
    };
    scripted.service.pace = pace;
    await this.#chat.ask();
    await this.#chat.answerEnded();
    scripted.service.pace = 0;
    scripted.onToolRequest = undefined;
    const requests = await probe.call("takeRequests", null);
    const expected = reads.length + 1;
    if (requests.length !== expected) throw new Error(`Saw ${requests.length} of ${expected} requests.`);
    return { requests, page: await Promise.all(times) };
  }

  /** Picks the chat from the list while the page shows an empty one. Returns the milliseconds until its end is painted. */
  async open(question: string): Promise<number> {
    const { editor, probe } = this.#editor;
    const { quickInput } = editor.workbench;
    await this.#chat.beginChat();
    await probe.call("begin", { command: "inference.showHistory" });
    await quickInput.row(question).first().waitFor();
    await quickInput.fill(question);
    await quickInput.row(question).and(editor.workbench.page.locator(".focused")).waitFor();
    await this.#editor.becomesStill();
    await this.#threads.becomesStill();
    const painted = await ListProbe.in(this.#chat.frame, ".answer .markdown p");
    await painted.watch(ending);
    const start = nowInEpoch();
    await quickInput.accept();
    return (await painted.shownAt()) - start;
  }

  async #prepare(question: string): Promise<void> {
    const { chat, quickInput } = this.#editor.editor.workbench;
    await this.#chat.beginChat();
    // The composer of a new chat gets the focus a moment later, which would close the list of modes.
    await this.#editor.becomesStill();
    await this.#threads.becomesStill();
    await chat.composer.fill(question);
    await chat.button("Mode:").click();
    await quickInput.pick("Plan");
    await chat.button("Mode: Plan").waitFor();
    await chat.frame.locator('button.send[aria-disabled="false"]').waitFor();
  }

  #pathOf(file: number): string {
    return path.join(this.#editor.editor.workspace, nameOf(file));
  }
}

function nameOf(file: number): string {
  return `${folder}/sample${file}.ts`;
}

function linesOf(file: number): string {
  const line = (number: number): string => `add(${file}, "${String(number % 997).padStart(4, "0")}");`;
  return Array.from({ length: linesInFile }, (_, index) => `${line(index)}\n`).join("");
}

function scriptOf(reads: readonly SampleRead[]): readonly ScriptStep[] {
  const steps = reads.map(({ file, firstLine, lastLine }, index): ScriptStep => ({
    ...resultsOf(reads[index - 1]),
    send: [
      { text: `Now I read part ${index + 1}.` },
      { call: "read_file", arguments: { path: nameOf(file), startLine: firstLine, endLine: lastLine } },
    ],
  }));
  return [...steps, { ...resultsOf(reads.at(-1)), send: [{ text: ending }] }];
}

/** The result must have the last line. */
function resultsOf(read: SampleRead | undefined): Pick<ScriptStep, "expect"> {
  return read === undefined ? {} : { expect: { results: [`\n${read.lastLine}\tadd(`] } };
}
