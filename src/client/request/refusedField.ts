import type { Adaptation } from "../../protocol/encode/adaptation.ts";
import { cacheField, hasCacheMarks } from "../../protocol/encode/cacheMarks.ts";
import type { ErrorBody } from "../../protocol/conversation/conversation.ts";
import { isFields } from "../../protocol/conversation/json.ts";
import type { Fields } from "../../protocol/conversation/json.ts";
import { causeOf } from "../failure/causeOf.ts";
import type { Failure } from "../failure/failure.ts";
import {
  cacheWords,
  fieldAliases,
  listWords,
  saysNo,
  stringWords,
  systemRefused,
  withoutOffers,
} from "./refusedFieldWords.ts";
import { readRefusedReasoning } from "./refusedReasoning.ts";

/** Without these no request is one. */
const essential: ReadonlySet<string> = new Set(["model", "messages", "max_tokens", "max_completion_tokens"]);

/** Extras of ours: whatever a server objects to about them, the answer is worth more than they are. */
const dispensable: ReadonlySet<string> = new Set(["stream_options", "tool_choice", "parallel_tool_calls"]);

/**
 * The way to write a request so that the server takes it, where the server refused a field of it by
 * name; undefined for every other failure: of the key, the budget, the model, or a field's value.
 *
 * @param sent the body of the refused request
 */
export function readRefusedField(failure: Failure, sent: Fields): Adaptation | undefined {
  if (failure.kind !== "refused" || failure.status >= 500) return undefined;
  const { error } = failure;
  if (hasCacheMarks(sent) && areMarksRefused(failure)) return { kind: "omit", field: cacheField };
  if (causeOf(failure) !== "bad-request") return undefined;
  const reasoning = readRefusedReasoning(error, sent);
  if (reasoning !== undefined) return reasoning;
  if (isSystemRefused(error, sent)) return { kind: "system-as-user" };
  if (isCapRefused(error, sent)) return { kind: "rename-cap" };
  const optional = Object.keys(sent).filter((name) => !essential.has(name));
  const field = fieldByParam(error, optional) ?? fieldByMessage(error, optional);
  return field === undefined ? undefined : toAdaptation(field);
}

function toAdaptation(field: string): Adaptation {
  return field === "system" ? { kind: "system-as-user" } : { kind: "omit", field };
}

/** Statuses of keys, budgets and limits, which nothing in a request can mend. */
const aboutTheKey: ReadonlySet<number> = new Set([401, 402, 429]);

/**
 * The marks, or the blocks that a plain text became to carry one. Whatever a service has against them, an account
 * without the right to its cache included, the answer is worth more.
 */
function areMarksRefused(failure: Extract<Failure, { kind: "refused" }>): boolean {
  if (aboutTheKey.has(failure.status)) return false;
  const { message = "", param } = failure.error;
  if (stepsOf(param).includes(cacheField) || cacheWords.test(withoutOffers(message))) return true;
  if (causeOf(failure) !== "bad-request") return false;
  const wantsString = stringWords.test(message);
  const refusesList = listWords.test(message);
  const isNamed = /\b(?:system|content)\b/i.test(`${param ?? ""} ${message}`);
  return isNamed ? wantsString || refusesList : wantsString && refusesList;
}

/** A parameter's path, such as `messages.0.role` or `tools[0].type`, in steps. */
function stepsOf(param: string | undefined): readonly string[] {
  return (param ?? "").split(/[.[\]'"`\s]+/).filter((step) => step !== "" && step !== "body");
}

/** The last step is the field; deeper objections are to a value, which leaving out would not mend. */
function fieldByParam(error: ErrorBody, optional: readonly string[]): string | undefined {
  const steps = stepsOf(error.param);
  const first = steps.find((step) => dispensable.has(step));
  if (first !== undefined && optional.includes(first)) return first;
  const last = steps.at(-1);
  const isField = steps.length <= 2 && last !== undefined && optional.includes(last);
  return isField && saysNo(error) ? last : undefined;
}

/** The field that the sentence names first, since further ones are what the server would take. */
function fieldByMessage(error: ErrorBody, optional: readonly string[]): string | undefined {
  const message = withoutOffers(error.message ?? "");
  const named = optional
    .filter((name) => dispensable.has(name) || saysNo(error))
    .map((name) => ({ name, at: positionOf(name, message) }))
    .filter(({ at }) => at !== -1);
  named.sort((one, other) => one.at - other.at);
  return named[0]?.name;
}

/** Where the message speaks of the field: quoted, called a field, or with a name that is no plain word. */
function positionOf(name: string, message: string): number {
  const text = name.replaceAll(/[^\w]/g, String.raw`\$&`);
  const kinds =
    "(?:request |body |input )?(?:parameter|param|argument|field|property|option|input|key|attribute)s?";
  const patterns = [
    String.raw`['"\`\[‘“]${text}['"\`\]’”]`,
    String.raw`\b${kinds}(?: supplied| name)?\s*[:=]?\s*\(?${text}\b`,
    String.raw`\b${text}\b (?:${kinds}\b)`,
    String.raw`^${text}\b(?:\s*:| (?:is|are) )`,
    ...(name.includes("_") || name === "temperature" ? [String.raw`(?<![\w.])${text}(?!\w)`] : []),
    ...(fieldAliases[name] ?? []),
  ];
  const found = patterns
    .map((pattern) => message.search(new RegExp(pattern, "i")))
    .filter((position) => position !== -1);
  return found.length === 0 ? -1 : Math.min(...found);
}

/** Only the chat-completions style has another name for the cap; a cap itself is never left out. */
function isCapRefused(error: ErrorBody, sent: Fields): boolean {
  if (sent["max_tokens"] === undefined) return false;
  const message = error.message ?? "";
  if (/max_completion_tokens/i.test(message) && /\bmax_tokens\b/i.test(message)) return saysNo(error);
  const isNamed =
    stepsOf(error.param).at(-1) === "max_tokens" || positionOf("max_tokens", withoutOffers(message)) !== -1;
  return isNamed && sent["system"] === undefined && saysUnknown(error);
}

/** The field as such is not known, and its value is not what is wrong. */
function saysUnknown({ code, type, message }: ErrorBody): boolean {
  return (
    /extra_forbidden|(?:unsupported|unknown|unrecognized)_param/i.test(`${code} ${type}`) ||
    /unrecogni[sz]ed|unknown|extra (?:inputs|fields)|unexpected|unsupported param/i.test(message ?? "")
  );
}

function isSystemRefused(error: ErrorBody, sent: Fields): boolean {
  const listed = sent["messages"];
  const all = Array.isArray(listed) ? listed.filter((message) => isFields(message)) : [];
  const hasRole = all.some(({ role }) => role === "system");
  if (!hasRole && sent["system"] === undefined) return false;
  const message = withoutOffers(error.message ?? "");
  if (systemRefused.test(message)) return true;
  const [list, index, member] = stepsOf(error.param);
  return hasRole && list === "messages" && member === "role" && all[Number(index)]?.["role"] === "system";
}
