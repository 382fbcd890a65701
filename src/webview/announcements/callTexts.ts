import { isFields, readString } from "../../protocol/conversation/json.ts";
import type {
  AnswerCall,
  CallFacts,
  CallOutcome,
  CallRequest,
  EditCaution,
} from "../../chat/transcript/steps.ts";
import type { AnswerTurn, ChangesState, PauseReason } from "../../chat/transcript/transcript.ts";
import { wholeStart } from "../../text/cutText.ts";
import { showInvisible } from "../../text/invisibleCharacters.ts";
import type { Translate } from "../../text/translate.ts";

/** The tools that have a line of their own. */
export const toolNames = [
  "read_file",
  "search_text",
  "find_files",
  "list_folder",
  "get_problems",
  "get_changes",
  "edit_file",
  "create_file",
  "run_command",
  "read_output",
  "fetch_url",
  "ask_user",
] as const;

/** UTF-16 units of an argument in the line of a call. */
const maxArgumentLength = 120;

/** Main arguments. Their names differ from model to model. */
const names = {
  path: ["path", "filePath", "file_path", "file"],
  query: ["query", "pattern", "text", "regex"],
  pattern: ["pattern", "glob", "query"],
  folder: ["path", "folder", "directory", "dir"],
} as const;

/** The line of a call, with its main argument and the facts of its result. */
export function callText(call: AnswerCall, t: Translate): string {
  const { state } = call;
  switch (state.kind) {
    case "pending":
      return t("Next: {0}", callTitle(call, t));
    case "asking":
      // The question itself says that it waits.
      return call.name === "ask_user" ? runningText(call, t) : t("Waiting for you: {0}", callTitle(call, t));
    case "running":
      return runningText(call, t);
    case "settled": {
      const { outcome, facts = {} } = state.result;
      return outcome === "done" ? doneText(call, facts, t) : unfinishedText(outcome, call, t);
    }
  }
}

/** The activity of a call that runs. */
function runningText(call: AnswerCall, t: Translate): string {
  switch (call.name) {
    case "read_file":
      return t("Reading '{0}'...", argumentOf(call, ...names.path));
    case "search_text":
      return t("Searching for '{0}'...", argumentOf(call, ...names.query));
    case "find_files":
      return t("Finding files '{0}'...", argumentOf(call, ...names.pattern));
    case "list_folder":
      return t("Listing '{0}'...", argumentOf(call, ...names.folder) || ".");
    case "get_problems":
      return t("Getting problems...");
    case "get_changes":
      return t("Getting changes...");
    case "edit_file":
      return t("Editing '{0}'...", pathOf(call));
    case "create_file":
      return t("Creating '{0}'...", pathOf(call));
    case "run_command":
      return t("Running '{0}'...", argumentOf(call, "command", "cmd"));
    case "read_output":
      return t("Reading more output...");
    case "fetch_url":
      return t("Reading '{0}'...", pageOf(call));
    case "ask_user":
      return t("Asking you: {0}", argumentOf(call, "question"));
    default:
      return t("Calling '{0}'...", showInvisible(call.name));
  }
}

/** The present activity of an answer with tools. */
export function activityText({ state, steps }: Pick<AnswerTurn, "state" | "steps">, t: Translate): string {
  switch (state.kind) {
    case "waiting":
      return t("Waiting for the model...");
    case "streaming":
      return t("Receiving the answer...");
    case "retrying":
      return t("Waiting to retry");
    case "paused":
      return t("Waiting for you");
    case "working": {
      const calls = steps?.at(-1)?.calls ?? [];
      if (calls.some((call) => call.state.kind === "asking")) return t("Waiting for you");
      const running = calls.find((call) => call.state.kind === "running");
      return running === undefined ? t("Waiting for the model...") : runningText(running, t);
    }
    case "complete":
    case "stopped":
    case "interrupted":
    case "failed":
      return "";
  }
}

/** Names a call behind the word for its outcome, as in "Failed: Reading 'a.ts'". */
function callTitle(call: AnswerCall, t: Translate): string {
  switch (call.name) {
    case "read_file":
      return t("Reading '{0}'", argumentOf(call, ...names.path));
    case "search_text":
      return t("Searching for '{0}'", argumentOf(call, ...names.query));
    case "find_files":
      return t("Finding files '{0}'", argumentOf(call, ...names.pattern));
    case "list_folder":
      return t("Listing '{0}'", argumentOf(call, ...names.folder) || ".");
    case "get_problems":
      return t("Getting problems");
    case "get_changes":
      return t("Getting changes");
    case "edit_file":
      return t("Editing '{0}'", pathOf(call));
    case "create_file":
      return t("Creating '{0}'", pathOf(call));
    case "run_command":
      return t("Running '{0}'", argumentOf(call, "command", "cmd"));
    case "read_output":
      return t("Reading more output");
    case "fetch_url":
      return t("Reading '{0}'", pageOf(call));
    case "ask_user":
      return t("Asking you '{0}'", argumentOf(call, "question"));
    default:
      return t("Calling '{0}'", showInvisible(call.name));
  }
}

function doneText(call: AnswerCall, facts: CallFacts, t: Translate): string {
  const { firstLine, lastLine, count, added = 0, removed = 0 } = facts;
  switch (call.name) {
    case "read_file": {
      const path = argumentOf(call, ...names.path);
      return firstLine === undefined || lastLine === undefined || lastLine < firstLine
        ? t("Read '{0}'", path)
        : t("Read '{0}', lines {1}-{2}", path, firstLine, lastLine);
    }
    case "search_text": {
      const query = argumentOf(call, ...names.query);
      return count === 1
        ? t("Searched for '{0}': 1 line", query)
        : t("Searched for '{0}': {1} lines", query, count ?? 0);
    }
    case "find_files": {
      const pattern = argumentOf(call, ...names.pattern);
      return count === 1
        ? t("Found 1 file for '{0}'", pattern)
        : t("Found {1} files for '{0}'", pattern, count ?? 0);
    }
    case "list_folder": {
      const folder = argumentOf(call, ...names.folder) || ".";
      return count === 1
        ? t("Listed '{0}': 1 entry", folder)
        : t("Listed '{0}': {1} entries", folder, count ?? 0);
    }
    case "get_problems":
      return count === 1 ? t("Found 1 problem") : t("Found {0} problems", count ?? 0);
    case "get_changes":
      return count === 1 ? t("Read the changes of 1 file") : t("Read the changes of {0} files", count ?? 0);
    case "edit_file":
      return t("Edited '{0}' (+{1} −{2})", pathOf(call), added, removed);
    case "create_file":
      return t("Created '{0}' (+{1})", pathOf(call), added);
    case "run_command":
      return ranText(argumentOf(call, "command", "cmd"), facts, t);
    case "read_output":
      return t("Read more output");
    case "fetch_url":
      return t("Read '{0}'", pageOf(call));
    case "ask_user":
      return t("Asked you: {0}", argumentOf(call, "question"));
    default:
      return t("Called '{0}'", showInvisible(call.name));
  }
}

function ranText(command: string, { exitCode, isInBackground = false }: CallFacts, t: Translate): string {
  if (isInBackground) return t("Continued in the background: '{0}'", command);
  return exitCode === undefined
    ? t("Ran '{0}': exit code unknown", command)
    : t("Ran '{0}': exit code {1}", command, exitCode);
}

function pathOf(call: AnswerCall): string {
  return argumentOf(call, "path", "filePath", "file_path", "file");
}

/** Host and path of a URL. An address that is none is shown as it is. */
function pageOf(call: AnswerCall): string {
  const given = argumentOf(call, "url", "uri", "href", "address");
  const url = URL.parse(given);
  if (url === null) return given;
  return wholeStart(`${url.host}${url.pathname === "/" ? "" : url.pathname}`, maxArgumentLength);
}

function unfinishedText(outcome: Exclude<CallOutcome, "done">, call: AnswerCall, t: Translate): string {
  const title = callTitle(call, t);
  switch (outcome) {
    case "failed":
      return t("Failed: {0}", title);
    case "denied":
      return t("Denied: {0}", title);
    case "stopped":
      return t("Stopped: {0}", title);
    case "interrupted":
      // A command can outlive the window.
      return call.name === "run_command"
        ? t("Interrupted: {0}. The command might still be running.", title)
        : t("Interrupted: {0}", title);
    case "invalid":
      return t("Not run: {0}", title);
  }
}

/** The first of these arguments that the call has, cut for a line. */
function argumentOf({ arguments: given }: AnswerCall, ...aliases: readonly string[]): string {
  if (given.kind === "invalid" || !isFields(given.value)) return "";
  const { value } = given;
  const found = aliases.map((name) => readString(value, name)).find((text) => text !== undefined) ?? "";
  // Some invisible characters count as white space, so the marks come first.
  const line = showInvisible(found).replaceAll(/\s+/gu, " ").trim();
  return line.length <= maxArgumentLength ? line : `${wholeStart(line, maxArgumentLength)}…`;
}

/** The line of several calls of one tool. `count` is the number of calls; of files for edits. */
export function groupText(name: string, count: number, t: Translate): string {
  switch (name) {
    case "read_file":
      return t("Read {0} files", count);
    case "search_text":
      return t("Searched {0} times", count);
    case "list_folder":
      return t("Listed {0} folders", count);
    case "edit_file":
      return count === 1 ? t("Edited 1 file") : t("Edited {0} files", count);
    case "create_file":
      return t("Created {0} files", count);
    case "run_command":
      return t("Ran {0} commands", count);
    case "fetch_url":
      return t("Read {0} web pages", count);
    default:
      return t("Called '{0}' {1} times", showInvisible(name), count);
  }
}

/** The question of a card. */
export function requestText(request: CallRequest, t: Translate): string {
  if (request.type === "question") return showInvisible(request.question);
  if (request.type === "command") return t("Run this command?");
  if (request.type === "tool") return t("Use the tool '{0}'?", showInvisible(request.title));
  if (request.type === "website") return t("Read this website?");
  const path = showInvisible(request.path);
  if (request.type === "edit") return request.isNew ? t("Create '{0}'?", path) : t("Edit '{0}'?", path);
  switch (request.reason) {
    case "outside-workspace":
      return t("'{0}' is outside this workspace. Let the model read it?", path);
    case "sensitive-file":
      return t("'{0}' might contain keys or passwords. Let the model read it?", path);
    case "faulty-pattern":
      return t(
        "'{0}' might match the exclude pattern '{1}', which can't be read. Let the model read it?",
        path,
        showInvisible(request.rule ?? ""),
      );
    case "excluded-file":
      return t("'{0}' is excluded by {1}. Let the model read it?", path, request.rule ?? "");
  }
}

/** Says how many lines a command has. Empty for one line. */
export function lineCountText(command: string, t: Translate): string {
  const count = command.split("\n").length;
  return count === 1 ? "" : t("{0} lines", count);
}

/** The announcement of a card: its question, and the whole of a command, a URL or arguments. */
export function spokenRequest(request: CallRequest, t: Translate): string {
  const question = requestText(request, t);
  if (request.type === "command") {
    const lines = lineCountText(request.command, t);
    const command = showInvisible(request.command);
    return lines === "" ? `${question} ${command}` : `${question} ${lines}: ${command}`;
  }
  if (request.type === "website") return `${question} ${showInvisible(request.url)}`;
  return request.type === "tool" ? `${question} ${showInvisible(request.arguments)}` : question;
}

/** A fact that the user must know before a file is written. */
export function cautionText(caution: EditCaution, t: Translate): string {
  switch (caution) {
    case "acting-file":
      return t("VS Code or other tools run what this file says.");
    case "unsaved-text":
      return t("Allowing also saves the unsaved text in this file.");
    case "save-actions":
      return t("Saving runs formatters or other actions, which might change more.");
    case "no-undo":
      return t("This change can't be undone, because no copy of the file can be stored.");
    case "outside-content":
      return t("This answer has read content from outside the workspace.");
  }
}

/** Says whether the user kept or undid the changes of an answer. */
export function changesText(state: ChangesState, t: Translate): string {
  return state === "kept" ? t("Kept") : t("Undone");
}

/** Why the answer waits for the user. */
export function pauseText(reason: PauseReason, t: Translate): string {
  switch (reason.type) {
    case "requests":
      return reason.count === 1
        ? t("This answer has sent 1 request. Let it continue?")
        : t("This answer has sent {0} requests. Let it continue?", reason.count);
    case "loop":
      return t(
        "The model made the same '{0}' call {1} times with the same result. Let it continue?",
        showInvisible(reason.tool),
        reason.count,
      );
    case "failures":
      return t("{0} tool calls in a row have failed. Let the answer continue?", reason.count);
  }
}
