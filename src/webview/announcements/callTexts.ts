import { isFields, readString } from "../../protocol/conversation/json.ts";
import type { AnswerCall, CallFacts, CallOutcome, CallRequest } from "../../chat/transcript/steps.ts";
import type { PauseReason } from "../../chat/transcript/transcript.ts";
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
  "ask_user",
] as const;

/** UTF-16 units of an argument in the line of a call. */
const maxArgumentLength = 120;

/** The line of a call, with its main argument and the facts of its result. */
export function callText(call: AnswerCall, t: Translate): string {
  const { state } = call;
  if (state.kind !== "settled") return pendingText(call, t);
  const { outcome, facts = {} } = state.result;
  return outcome === "done" ? doneText(call, facts, t) : unfinishedText(outcome, pendingText(call, t), t);
}

function pendingText(call: AnswerCall, t: Translate): string {
  switch (call.name) {
    case "read_file":
      return t("Read '{0}'", argumentOf(call, "path", "filePath", "file_path", "file"));
    case "search_text":
      return t("Search for '{0}'", argumentOf(call, "query", "pattern", "text", "regex"));
    case "find_files":
      return t("Find files '{0}'", argumentOf(call, "pattern", "glob", "query"));
    case "list_folder":
      return t("List '{0}'", argumentOf(call, "path", "folder", "directory", "dir") || ".");
    case "get_problems":
      return t("Get problems");
    case "get_changes":
      return t("Get changes");
    case "ask_user":
      return t("Ask you: {0}", argumentOf(call, "question"));
    default:
      return t("Call '{0}'", showInvisible(call.name));
  }
}

function doneText(call: AnswerCall, { firstLine, lastLine, count }: CallFacts, t: Translate): string {
  switch (call.name) {
    case "read_file": {
      const path = argumentOf(call, "path", "filePath", "file_path", "file");
      return firstLine === undefined || lastLine === undefined || lastLine < firstLine
        ? t("Read '{0}'", path)
        : t("Read '{0}', lines {1}-{2}", path, firstLine, lastLine);
    }
    case "search_text": {
      const query = argumentOf(call, "query", "pattern", "text", "regex");
      return count === 1
        ? t("Searched for '{0}': 1 line", query)
        : t("Searched for '{0}': {1} lines", query, count ?? 0);
    }
    case "find_files": {
      const pattern = argumentOf(call, "pattern", "glob", "query");
      return count === 1
        ? t("Found 1 file for '{0}'", pattern)
        : t("Found {1} files for '{0}'", pattern, count ?? 0);
    }
    case "list_folder": {
      const folder = argumentOf(call, "path", "folder", "directory", "dir") || ".";
      return count === 1
        ? t("Listed '{0}': 1 entry", folder)
        : t("Listed '{0}': {1} entries", folder, count ?? 0);
    }
    case "get_problems":
      return count === 1 ? t("Found 1 problem") : t("Found {0} problems", count ?? 0);
    case "get_changes":
      return count === 1 ? t("Read the changes of 1 file") : t("Read the changes of {0} files", count ?? 0);
    case "ask_user":
      return t("Asked you: {0}", argumentOf(call, "question"));
    default:
      return t("Called '{0}'", showInvisible(call.name));
  }
}

function unfinishedText(outcome: Exclude<CallOutcome, "done">, call: string, t: Translate): string {
  switch (outcome) {
    case "failed":
      return t("Failed: {0}", call);
    case "denied":
      return t("Denied: {0}", call);
    case "stopped":
      return t("Stopped: {0}", call);
    case "interrupted":
      return t("Interrupted: {0}", call);
    case "invalid":
      return t("Not run: {0}", call);
  }
}

/** The first of these arguments that the call has, cut for a line. Names differ from model to model. */
function argumentOf({ arguments: given }: AnswerCall, ...names: readonly string[]): string {
  if (given.kind === "invalid" || !isFields(given.value)) return "";
  const { value } = given;
  const found = names.map((name) => readString(value, name)).find((text) => text !== undefined) ?? "";
  const line = showInvisible(found.replaceAll(/\s+/gu, " ").trim());
  return line.length <= maxArgumentLength ? line : `${line.slice(0, maxArgumentLength)}…`;
}

/** The line of several calls of one tool. */
export function groupText(name: string, count: number, t: Translate): string {
  switch (name) {
    case "read_file":
      return t("Read {0} files", count);
    case "search_text":
      return t("Searched {0} times", count);
    case "list_folder":
      return t("Listed {0} folders", count);
    default:
      return t("Called '{0}' {1} times", showInvisible(name), count);
  }
}

/** The question of a card. */
export function requestText(request: CallRequest, t: Translate): string {
  if (request.type === "question") return showInvisible(request.question);
  const path = showInvisible(request.path);
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
