import type * as vscode from "vscode";
import { type LineSearch, searchForRegex, searchForText } from "../../chat/agent/fileLines.ts";
import { forEachAtOnce } from "../../files/concurrency.ts";
import { Exclusions, isWithheld } from "../files/exclusions.ts";
import { untilAborted } from "../shared/abort.ts";
import { readSmallText } from "../shared/readTextFile.ts";
import { type AgentRun, defineTool, done, ToolError } from "./agentTool.ts";
import { findReadable, tooManyFilesNote } from "./findFiles.ts";
import { placeName } from "./toolPlaces.ts";

const defaultResults = 20;
const maxResults = 200;
/** Bytes. Larger files are generated, or data. */
const maxBytes = 2 * 1024 * 1024;
const timeoutMs = 20_000;
/** Files that are read at once. */
const readAtOnce = 64;

export const searchTextTool = defineTool({
  name: "search_text",
  description:
    "Searches the text files of the workspace line by line, ignoring case, and returns the matching lines with their paths and numbers.",
  parameters: {
    query: {
      type: "string",
      description: "The text to search for, or a regular expression.",
      aliases: ["pattern", "text", "regex"],
    },
    isRegexp: {
      type: "boolean",
      description: "True if query is a JavaScript regular expression.",
      isOptional: true,
      aliases: ["isRegex", "is_regexp", "regexp"],
    },
    includePattern: {
      type: "string",
      description: "Glob of the files to search, such as app/**/*.ts. Default: all files.",
      isOptional: true,
      aliases: ["include", "include_pattern", "glob"],
    },
    maxResults: {
      type: "integer",
      description: `Most lines to return. Default: ${defaultResults}, at most ${maxResults}.`,
      isOptional: true,
      aliases: ["max_results", "limit"],
    },
  },
  run: async (
    { query, isRegexp = false, includePattern = "**/*", maxResults: wanted = defaultResults },
    run,
  ) => {
    if (query.trim() === "") throw new ToolError("The query is empty.");
    const search = isRegexp ? compileRegex(query) : searchForText(query);
    const limit = Math.min(Math.max(wanted, 1), maxResults);
    const deadline = AbortSignal.timeout(timeoutMs);
    const { files, isCut: areTooMany } = await findReadable(includePattern, run.signal);
    const signal = AbortSignal.any([run.signal, deadline]);
    const found = new FoundLines({ search, limit, signal, clean: run.clean });
    const searching = forEachAtOnce(readAtOnce, files.toSorted(byPath), (uri) => found.search(uri));
    // One file that cannot be read to its end must not keep the others back.
    await untilAborted(searching, signal);
    run.signal.throwIfAborted();
    const lines = found.lines();
    const notes = [
      ...(lines.length === limit ? [`(More lines may match. Ask for more, or search for less.)`] : []),
      ...(areTooMany ? [tooManyFilesNote] : []),
      ...(deadline.aborted ? ["(The search stopped after 20 seconds. Not all files were searched.)"] : []),
    ];
    const nothing = lines.length === 0 ? ["No line matches."] : [];
    const isCut = notes.length > 0;
    return done([...nothing, ...lines, ...notes].join("\n"), { count: lines.length, isCut });
  },
});

function compileRegex(source: string): LineSearch {
  try {
    return searchForRegex(source);
  } catch (error) {
    throw new ToolError(
      `The regular expression is not valid: ${error instanceof Error ? error.message : ""}`,
    );
  }
}

function byPath(one: vscode.Uri, other: vscode.Uri): number {
  if (one.path === other.path) return 0;
  return one.path < other.path ? -1 : 1;
}

interface SearchOptions extends Pick<AgentRun, "clean" | "signal"> {
  readonly search: LineSearch;
  readonly limit: number;
}

class FoundLines {
  readonly #options: SearchOptions;
  readonly #exclusions = new Exclusions();
  readonly #found: { readonly path: string; readonly line: number; readonly text: string }[] = [];
  #isOver = false;

  constructor(options: SearchOptions) {
    this.#options = options;
  }

  /** @throws RegexTimeoutError; later files are then not searched */
  async search(uri: vscode.Uri): Promise<void> {
    if (this.#hasEnded() || (await isWithheld(uri, this.#exclusions))) return;
    const text = await readSmallText(uri, { maxBytes, mayBeLink: true });
    if (text === undefined || this.#hasEnded()) return;
    try {
      if (this.#options.search(text, 1).length === 0) return;
      // The model must not find out a key by searching for its parts.
      const cleaned = await this.#options.clean(text);
      if (this.#hasEnded()) return;
      const path = placeName(uri);
      const matches = this.#options.search(cleaned, this.#options.limit - this.#found.length);
      this.#found.push(...matches.map((match) => ({ path, ...match })));
    } catch (error) {
      this.#isOver = true;
      throw error;
    }
  }

  #hasEnded(): boolean {
    const { signal, limit } = this.#options;
    return this.#isOver || signal.aborted || this.#found.length >= limit;
  }

  lines(): readonly string[] {
    return this.#found
      .toSorted((one, other) =>
        one.path === other.path ? one.line - other.line : one.path < other.path ? -1 : 1,
      )
      .map(({ path, line, text }) => `${path}:${line}: ${text}`);
  }
}
