import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import type { TimeLimits } from "../../../src/client/http/transport.ts";
import type { ClientStyle } from "../../../src/protocol/conversation/wireStyle.ts";
import { createTestClient } from "../../unit/client/request/testClient.ts";
import { fakeKey } from "../../unit/service/fixture.ts";
import { endingOf, type Fault, type Flow, limitOf, type Scene, textOf } from "./fault.ts";
import { ask, type Told } from "./flows.ts";
import { fullText } from "./goodAnswers.ts";
import { Heard } from "./heard.ts";
import { dueMs, fullLimits, leaveMs, limitsFor, phaseOf, slackMs, unusedMs } from "./limits.ts";
import { MemoryPeak } from "./memoryPeak.ts";
import { Site, struckBody, type Way } from "./site.ts";
import type { Trust } from "./trust.ts";

/** The result of one run of one fault, for the figures. */
export interface Ran {
  readonly milliseconds: number;
  /** Milliseconds from `dueMs` of the time limit to the end of the flow; absent without a limit. */
  readonly lateMs?: number;
  /** Peak memory of client and server together above the start, in bytes. */
  readonly memory: number;
  /** Whether the fault hit a connection that could serve no further request, and the client left it. */
  readonly left: boolean;
}

/** Runs a fault in a flow. Checks how the flow ends, which text is kept, and that the next request works. */
export async function runFault(
  fault: Fault,
  flow: Flow,
  style: ClientStyle,
  trust: Trust,
  way: Way,
): Promise<Ran> {
  await using site = await Site.open(fault, trust, way);
  const limit = limitOf(fault, flow);
  const limits = limitsFor(limit);
  const key = fakeKey("faulty");
  const heard = new Heard();
  const transport = heard.listenTo(site.transport);
  const asking = (origin: string, given: TimeLimits) => ({
    client: createTestClient({ transport, origin, key, limits: given }),
    origin,
    key,
    style,
    prompt: "Hello ".repeat((fault.promptLength ?? 6) / 6),
  });
  const struck = asking(site.origin, limits);
  const body = struckBody(flow, style);
  const floods: { readonly bytes: number; readonly bound: number }[] = [];
  const scene = (): Scene => ({
    flow,
    style,
    body,
    headRead: heard.head.promise,
    bodyRead: heard.body.promise,
    poured: (bytes, bound) => void floods.push({ bytes, bound }),
  });
  if (fault.pooled === true) {
    site.arrange(scene());
    assertWhole(await ask(flow, struck), flow);
    heard.reset();
    // `fetch` returns a connection to its pool one turn later.
    await setImmediate();
    site.noteWaiting();
    if (fault.whileWaiting !== undefined) {
      await within(slackMs, site.loseWaiting(fault.whileWaiting), "a connection stays open");
    }
  }
  await fault.prepare?.(scene());
  using memory = new MemoryPeak();
  site.strike(scene());
  const started = performance.now();
  const due = dueMs(limit, fault.slow === true);
  const told = await within(due + slackMs, ask(flow, struck), "the flow has not ended within its time limit");
  const milliseconds = performance.now() - started;
  const peak = memory.end();

  assertEnd(told, fault, flow, way);
  assert.ok(!JSON.stringify([told.said, told.failure]).includes(key), "the key is told");
  const strokes = await within(slackMs, site.struck(), "the client neither reads nor closes a connection");
  assert.ok(strokes > 0 || !acts(fault), "it has not struck");
  assert.ok(fault.pooled !== true || site.struckWaitingOnly, "the connection that is struck did not wait");
  const left =
    fault.keepsLine === true ? 0 : await within(leaveMs(limit, way), site.left(), "a connection stays open");
  for (const { bytes, bound } of floods) assert.ok(bytes <= bound, `${bytes} bytes were taken`);

  await site.heal();
  // Uses the same connections, which undici pools by connect timeout. All other limits are long.
  const healed = asking(site.healedOrigin, { ...fullLimits, connectMs: limits.connectMs });
  assertWhole(await within(slackMs, ask(flow, healed), "the next request does not end"), flow);
  // For `fetch`, the runtime decides what its pool keeps and for how long.
  if (way === "ours")
    await within(unusedMs, site.leftOrUsedAgain(), "a connection is neither left nor used again");
  assert.equal(Reflect.get({}, "polluted"), undefined, "JavaScript's own objects are others");
  const late = limit === undefined ? {} : { lateMs: milliseconds - due };
  return { milliseconds, ...late, memory: peak, left: left > 0 };
}

/** Checks the ending, the time limit, the text and the token counts. */
function assertEnd(told: Told, fault: Fault, flow: Flow, way: Way): void {
  const ending = endingOf(fault, flow);
  assert.equal(told.ending, ending, JSON.stringify(told.said));
  const phase = told.failure?.kind === "timeout" ? told.failure.phase : undefined;
  const due = ending === "timeout" ? phaseOf(limitOf(fault, flow), way) : undefined;
  assert.equal(phase, due, "the limit of time");
  const text = textOf(fault, flow);
  if (ending === "works") assertWorks(told, text ?? fullText, flow);
  else if (flow === "chat") assertText(told, text ?? "");
  if (fault.uncounted === true) assert.deepEqual(told.counts ?? [], []);
}

/** Whether the fault runs a script. */
function acts({ connect, answer }: Fault): boolean {
  return connect !== undefined || answer !== undefined;
}

/** Asserts the complete answer of a flow that no fault has hit. */
function assertWhole(told: Told, flow: Flow): void {
  assertWorks(told, fullText, flow);
  if (flow !== "check") assert.notDeepEqual(told.counts ?? [], []);
}

/** The check does not report the text of its answer. */
function assertWorks(told: Told, text: string | RegExp, flow: Flow): void {
  assert.equal(told.ending, "works", JSON.stringify(told.said));
  if (flow !== "check") assertText(told, text);
}

function assertText(told: Told, text: string | RegExp): void {
  if (typeof text === "string") assert.equal(told.text, text, "the text that is kept");
  else assert.match(told.text, text);
}

async function within<T>(milliseconds: number, work: Promise<T>, otherwise: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(otherwise)), milliseconds);
  });
  return Promise.race([work, over]).finally(() => clearTimeout(timer));
}
