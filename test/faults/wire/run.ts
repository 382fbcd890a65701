import assert from "node:assert/strict";
import type { TimeLimits, Transport } from "../../../src/client/transport.ts";
import type { ClientStyle } from "../../../src/protocol/wireStyle.ts";
import { createTestClient } from "../../unit/client/testClient.ts";
import { fakeKey } from "../../unit/service/fixture.ts";
import { endingOf, type Fault, type Flow, type Scene } from "./fault.ts";
import { ask, type Told } from "./flows.ts";
import { fullText } from "./goodAnswers.ts";
import { MemoryPeak } from "./memoryPeak.ts";
import { Site, struckBody, type Way } from "./site.ts";
import type { Trust } from "./trust.ts";

/** What one run of one fault came to, for the figures. */
export interface Ran {
  readonly milliseconds: number;
  readonly limitMs: number;
  /** Bytes of memory beyond those before, client and server together. */
  readonly memory: number;
}

/** The total is above the second in which undici looks at its timers, so that it does not come first. */
const briefLimits: TimeLimits = {
  connectMs: 300,
  headersMs: 150,
  idleMs: 150,
  totalMs: 2000,
  closingMs: 100,
};
const fullLimits: TimeLimits = {
  connectMs: 5000,
  headersMs: 8000,
  idleMs: 8000,
  totalMs: 20_000,
  closingMs: 300,
};
/** Beside the limits, for a machine that is busy with other things. */
const slackMs = 30_000;
/** A connection is closed at once when nobody reads it any more. */
const closingMs = 30_000;

/** The total must not come before what is waited for of a proxy, which undici looks at once a second too. */
function limitsFor({ brief, place }: Fault): TimeLimits {
  if (brief !== true) return fullLimits;
  return place === "proxy" ? { ...briefLimits, totalMs: fullLimits.totalMs } : briefLimits;
}

/** Plays a fault in a flow and judges how it ended, what was kept, and whether all goes on after it. */
export async function runFault(
  fault: Fault,
  flow: Flow,
  style: ClientStyle,
  trust: Trust,
  way: Way,
): Promise<Ran> {
  await using site = await Site.open(fault, trust, way);
  const limits = limitsFor(fault);
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
    assertWorks(await ask(flow, struck), fullText, flow);
    heard.reset();
    if (fault.whileWaiting !== undefined) {
      await within(closingMs, site.loseWaiting(fault.whileWaiting), "a connection stays open");
    }
  }
  using memory = new MemoryPeak();
  site.strike(scene());
  const limitMs = 3 * limits.connectMs + limits.totalMs + limits.closingMs + slackMs;
  const started = performance.now();
  const told = await within(limitMs, ask(flow, struck), "no end within its limit");
  const milliseconds = performance.now() - started;
  const peak = memory.end();

  const ending = endingOf(fault, flow);
  assert.equal(told.ending, ending, JSON.stringify(told.said));
  if (ending === "works") assertWorks(told, fault.text ?? fullText, flow);
  else if (flow === "chat") assert.equal(told.text, fault.text ?? "", "the text that is kept");
  assert.ok(!JSON.stringify(told.said).includes(key), "the key is told");
  if (ending !== "works" && fault.keepsLine !== true) {
    await within(closingMs, site.left(), "a connection stays open");
  }
  for (const { bytes, bound } of floods) assert.ok(bytes <= bound, `${bytes} bytes were taken`);

  await site.heal();
  // By the same connections, which are kept by the time to connect; a right answer has all the time it needs.
  const healed = asking(site.healedOrigin, { ...fullLimits, connectMs: limits.connectMs });
  assertWorks(await within(limitMs, ask(flow, healed), "the next request does not end"), fullText, flow);
  return { milliseconds, limitMs, memory: peak };
}

function assertWorks(told: Told, text: string, flow: Flow): void {
  assert.equal(told.ending, "works", JSON.stringify(told.said));
  if (flow === "chat" || flow === "whole") assert.equal(told.text, text);
}

async function within<T>(milliseconds: number, work: Promise<T>, otherwise: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(otherwise)), milliseconds);
  });
  return Promise.race([work, over]).finally(() => clearTimeout(timer));
}

/** Tells a server how far the client has read, so that what is cut off after that cannot race with it. */
class Heard {
  head = Promise.withResolvers<void>();
  body = Promise.withResolvers<void>();

  reset(): void {
    this.head = Promise.withResolvers<void>();
    this.body = Promise.withResolvers<void>();
  }

  listenTo(transport: Transport): Transport {
    const noteBody = async function* (this: Heard, pieces: AsyncIterable<Uint8Array>) {
      for await (const piece of pieces) {
        this.body.resolve();
        yield piece;
      }
    }.bind(this);
    return {
      ...transport,
      send: async (...call) => {
        const response = await transport.send(...call);
        this.head.resolve();
        return { ...response, body: noteBody(response.body) };
      },
    };
  }
}
