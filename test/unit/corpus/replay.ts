import { causeOf } from "../../../src/client/failure/causeOf.ts";
import { readAnswer, readFiltered } from "../../../src/client/answer/answer.ts";
import { FailureError } from "../../../src/client/failure/failure.ts";
import type { Failure } from "../../../src/client/failure/failure.ts";
import { readModelAnswer } from "../../../src/client/answer/modelAnswer.ts";
import { readRefusal } from "../../../src/client/http/refusal.ts";
import { readRequestId } from "../../../src/client/http/requestId.ts";
import { toFailure } from "../../../src/client/failure/toFailure.ts";
import { diagnose } from "../../../src/connection/diagnosis/diagnosis.ts";
import { createTranslate } from "../../../src/text/translate.ts";
import type { StreamPart } from "../../../src/protocol/conversation/conversation.ts";
import type { ModelPage } from "../../../src/protocol/decode/modelList.ts";
import { wireStyles } from "../../../src/protocol/styles/wireStyles.ts";
import type { CorpusCase } from "./corpusCase.ts";
import { failed } from "../../support/failed.ts";

/** The client's result for a case. */
export interface Replayed {
  readonly parts: readonly StreamPart[];
  readonly page?: ModelPage;
  readonly failure?: Failure;
}

/** Splits a body into chunks as network reads could. */
export type Cut = (body: Uint8Array) => readonly Uint8Array[];

export const whole: Cut = (body) => [body];
export const byteByByte: Cut = (body) => Array.from(body, (byte) => Uint8Array.of(byte));
export const cutAt =
  (offsets: readonly number[]): Cut =>
  (body) =>
    [0, ...offsets].map((from, index) => body.subarray(from, offsets[index] ?? body.length));

/** Runs a case through the real readers, like a request. */
export async function replay(wireCase: CorpusCase, cut: Cut): Promise<Replayed> {
  const { status, headers, style, nowMs = Date.now() } = wireCase;
  if (wireCase.nodeError !== undefined) return { parts: [], failure: toFailure(wireCase.nodeError) };
  const body = new TextEncoder().encode(wireCase.body);
  if (status < 200 || status > 299) {
    return { parts: [], failure: readRefusal(status, headers, body, nowMs) };
  }
  const answer = { status, headers, body: stream(cut(body)) };
  const parts: StreamPart[] = [];
  try {
    if (style === "models") return { parts, page: await readModelAnswer(answer, nowMs) };
    const wireStyle = wireStyles[style === "chat" ? "chat-completions" : "messages"];
    for await (const batch of readAnswer(wireStyle, answer, nowMs)) parts.push(...batch);
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    return { parts, failure: error.failure };
  }
  const finish = parts.findLast((part) => part.type === "finish");
  const filtered = finish === undefined ? undefined : readFiltered(finish);
  return filtered === undefined ? { parts } : { parts, failure: filtered.failure };
}

async function* stream(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

/** The result for one expected field. */
export interface Check {
  readonly field: string;
  readonly expected: unknown;
  readonly found: unknown;
  readonly held: boolean;
}

/** Compares a replay with the expectations of its case. */
export function check(wireCase: CorpusCase, replayed: Replayed): readonly Check[] {
  const { expect } = wireCase;
  const { parts, page, failure } = replayed;
  const checks: Check[] = [];
  const compare = (field: string, expected: unknown, found: unknown): void => {
    if (expected === undefined) return;
    checks.push({ field, expected, found, held: JSON.stringify(expected) === JSON.stringify(found) });
  };
  if (expect.cause !== undefined) checks.push(checkCause(wireCase, failure));
  compare("text", expect.text, textOf(parts));
  compare(
    "models",
    expect.models,
    page?.models.map((model) => model.id),
  );
  compare("requestId", expect.requestId, requestIdOf(wireCase, replayed));
  compare("usage", expect.usage, namedCounts(parts, Object.keys(expect.usage ?? {})));
  compare("toolCalls", expect.toolCalls, callsOf(parts, expect.toolCalls ?? []));
  compare("reasoning", expect.reasoning, reasoningOf(parts));
  for (const [id, facts] of Object.entries(expect.modelFacts ?? {}))
    compare("modelFacts", facts, factsOf(page, id, Object.keys(facts)));
  const finish = parts.findLast((part) => part.type === "finish");
  compare("stopReason", expect.stopReason, finish?.wireReason ?? null);
  const broke = failure !== undefined && failure.kind !== "filtered" && failure.kind !== "refused";
  compare("midStreamError", expect.midStreamError, broke);
  if (wireCase.kind === "error") checks.push(checkWait(wireCase, failure));
  if (wireCase.pagination !== undefined) {
    const next = page?.next ?? null;
    compare("pagination", wireCase.pagination.next, next === null ? null : `?after_id=${next}`);
  }
  for (const secret of wireCase.mustRedact) {
    const shown = JSON.stringify([page, failure && diagnose(failed(failure), {}, createTranslate())]);
    checks.push({ field: "mustRedact", expected: secret, found: shown, held: !shown.includes(secret) });
  }
  return checks;
}

/** The cases call an interrupted answer `network`: they are older than the cause `interrupted`. */
function checkCause({ expect, alsoPossible }: CorpusCase, failure: Failure | undefined): Check {
  const found = failure && causeOf(failure);
  const accepted = [expect.cause, ...alsoPossible];
  const isInterruption = expect.midStreamError === true && expect.cause === "network";
  const held = isInterruption ? found === "interrupted" : found !== undefined && accepted.includes(found);
  return { field: "cause", expected: accepted, found, held };
}

/** If the case expects no wait, the client must not find one. */
function checkWait({ expect }: CorpusCase, failure: Failure | undefined): Check {
  const waitMs = failure?.kind === "refused" ? failure.retryAfterMs : undefined;
  const found = waitMs === undefined ? undefined : waitMs / 1000;
  return {
    field: "retryAfterSeconds",
    expected: expect.retryAfterSeconds,
    found,
    held: found === expect.retryAfterSeconds,
  };
}

function requestIdOf({ headers }: CorpusCase, { parts, failure }: Replayed): string | undefined {
  if (failure !== undefined && "requestId" in failure) return failure.requestId;
  return readRequestId(headers, parts.findLast((part) => part.type === "request-id")?.requestId);
}

function textOf(parts: readonly StreamPart[]): string {
  return parts.map((part) => (part.type === "text-delta" ? part.text : "")).join("");
}

/** Returns the counts that a case names. */
function namedCounts(parts: readonly StreamPart[], names: readonly string[]): unknown {
  const usage = parts.findLast((part) => part.type === "usage")?.usage;
  return usage && Object.fromEntries(Object.entries(usage).filter(([name]) => names.includes(name)));
}

function reasoningOf(parts: readonly StreamPart[]): string {
  return parts.map((part) => (part.type === "reasoning-delta" ? part.text : "")).join("");
}

type ExpectedCalls = NonNullable<CorpusCase["expect"]["toolCalls"]>;

/**
 * Returns ID, name, and arguments of each call. If the case has no ID for a call, the ID is null: the client has made
 * up its own.
 */
function callsOf(parts: readonly StreamPart[], expected: ExpectedCalls): readonly unknown[] {
  return parts
    .filter((part) => part.type === "tool-call")
    .map(({ id, name, arguments: given }, index) => [
      expected[index]?.[0] === null ? null : id,
      name,
      given.kind === "object" ? given.value : given.text,
    ]);
}

/** Returns the facts of a model that a case names. */
function factsOf(page: ModelPage | undefined, id: string, names: readonly string[]): unknown {
  const model = page?.models.find((each) => each.id === id);
  return model && Object.fromEntries(Object.entries(model).filter(([name]) => names.includes(name)));
}
