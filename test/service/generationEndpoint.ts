import { once } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { AnswerEnd, AnswerHead, AnswerShape, ReasoningItem } from "./answerShape.ts";
import { Bill } from "./billing.ts";
import { Refusal } from "./errorAnswers.ts";
import { answerJson, type Exchange, withSaidKey } from "./exchange.ts";
import type { AnswerCall, AnswerItem, AnswerSource, Ask, GenerationPart } from "./generation.ts";
import type { IssuedReasoning } from "./issuedReasoning.ts";
import type { KeyRecord, KeyRing } from "./keyRing.ts";
import type { ModelCatalogue } from "./modelsEndpoint.ts";
import { countMarks, type PromptCache } from "./promptCache.ts";
import { checkFields, type Quirks } from "./quirks.ts";
import { readJsonBody } from "./requestBody.ts";
import { sayKey } from "./saidBack.ts";
import { countTokens } from "./tokens.ts";
import { checkToolOrder } from "./toolOrder.ts";

export interface GenerationSetting {
  readonly keys: KeyRing;
  readonly catalogue: ModelCatalogue;
  readonly source: AnswerSource;
  readonly cache: PromptCache;
  readonly onAsk: ((ask: Ask) => void) | undefined;
  readonly onPiece: ((text: string) => void) | undefined;
  /** Maximum bytes of a request body. */
  readonly bodyLimit: number;
  readonly quirks: () => Quirks;
  readonly issued: IssuedReasoning;
}

/** Maximum pieces written before other requests and events, such as a disconnect, get their turn. */
const piecesPerTurn = 64;

/** Answers a generation request, whole or streamed, and bills it. */
export async function answerGeneration(
  exchange: Exchange,
  shape: AnswerShape,
  setting: GenerationSetting,
  record: KeyRecord,
): Promise<void> {
  const quirks = setting.quirks();
  const body = await readJsonBody(exchange.request, setting.bodyLimit);
  if (typeof body === "object" && body !== null) exchange.record({ fields: fieldNames(body) });
  const given = shape.readAsk(body);
  checkToolOrder(given.messages);
  const ask = heed(given, quirks);
  setting.onAsk?.(ask);
  checkModel(ask, setting.catalogue, record);
  exchange.record({ model: ask.model, streamed: ask.stream });
  checkBudget(setting.keys, record.key);
  exchange.record({ cacheMarks: countMarks(body) });
  checkFields(body, exchange.style, quirks);
  if (quirks.demandsReasoning || (ask.thinks && exchange.style === "messages"))
    setting.issued.check(body, exchange.style);
  const cached =
    exchange.style === "messages" ? setting.cache.take(body, `${record.key} ${ask.model}`) : undefined;
  const parts = await setting.source.open(ask, exchange.signal);
  const offered = ask.tools.length === 0 ? 0 : countTokens(JSON.stringify(ask.tools));
  const counted = ask.messages.reduce((sum, { text }) => sum + countTokens(text), offered);
  // The cache counts each tool separately, so its count may be slightly higher.
  const inputTokens = Math.max(counted, (cached?.read ?? 0) + (cached?.written ?? 0));
  const head: AnswerHead = {
    requestId: exchange.requestId,
    created: Math.floor(Date.now() / 1000),
    ask,
    inputTokens,
    ...(cached === undefined ? {} : { cached }),
  };
  const bill = new Bill(setting.keys, record.key, inputTokens);
  exchange.record({ inputTokens });
  await (ask.stream ? answerStreamed : answerWhole)({
    exchange,
    shape,
    head,
    parts,
    bill,
    quirks,
    issued: setting.issued,
    onPiece: setting.onPiece,
  });
}

/** Returns only names that can't be a key: a key used as a field name must not appear in the journal. */
function fieldNames(body: object): readonly string[] {
  return Object.keys(body).filter((name) => /^[a-z_]{1,40}$/u.test(name));
}

/** Removes the parts of the request that the service is set to ignore. */
function heed(ask: Ask, { ignore }: Quirks): Ask {
  const last = ask.messages.at(-1);
  let messages = ask.messages.filter(({ role }) => role !== "system" || !ignore.includes("system"));
  if (ignore.includes("history") && last !== undefined) messages = [last];
  if (ignore.includes("images")) messages = messages.map((message) => ({ ...message, images: [] }));
  if (ignore.includes("pdfs")) messages = messages.map((message) => ({ ...message, pdfs: [] }));
  return {
    ...ask,
    messages,
    ...(ignore.includes("tools") ? { tools: [] } : {}),
    ...(ignore.includes("stream") ? { stream: false } : {}),
    ...(ignore.includes("effort") ? { thinks: false } : {}),
    ...(ignore.includes("max-tokens") ? { maxTokens: undefined } : {}),
  };
}

function checkModel({ model }: Ask, catalogue: ModelCatalogue, record: KeyRecord): void {
  if (!catalogue.has(model)) {
    throw new Refusal("model-not-found", `The model \`${model}\` does not exist.`, "model");
  }
  if (!catalogue.allowedTo(record).includes(model)) {
    throw new Refusal("model-not-allowed", `This key is not allowed to access model \`${model}\`.`, "model");
  }
}

function checkBudget(keys: KeyRing, key: string): void {
  const record = keys.find(key);
  const budget = record?.terms.budget;
  if (record !== undefined && budget !== undefined && record.spent >= budget) {
    throw new Refusal(
      "budget-exhausted",
      `Budget has been exceeded: this key has spent ${record.spent} of ${budget} tokens.`,
    );
  }
}

interface Answer {
  readonly exchange: Exchange;
  readonly shape: AnswerShape;
  readonly head: AnswerHead;
  readonly parts: AsyncIterable<GenerationPart>;
  readonly bill: Bill;
  readonly quirks: Quirks;
  readonly issued: IssuedReasoning;
  readonly onPiece: ((text: string) => void) | undefined;
}

interface Taking {
  readonly text: (text: string) => Promise<void> | void;
  readonly call: (call: AnswerCall) => void;
  readonly reasoning: (item: ReasoningItem) => void;
}

/** Bills, records and collects each part. Returns the answer's items, and how it ended. */
async function consume(answer: Answer, take: Taking): Promise<AnswerEnd & { items: readonly AnswerItem[] }> {
  const { exchange, parts, bill, quirks, issued } = answer;
  const items: AnswerItem[] = [];
  for await (const part of parts) {
    exchange.signal.throwIfAborted();
    if (part.type === "end") {
      bill.settle(part.usage ?? bill.usage);
      exchange.record(bill.usage);
      issued.issue(items);
      return {
        items,
        stopReason: quirks.ignore.includes("stop-reason") ? undefined : part.stopReason,
        usage: quirks.ignore.includes("usage") ? undefined : bill.usage,
        remark: exchange.saidKey === undefined ? undefined : sayKey(exchange.saidKey),
      };
    }
    if (part.type === "cut") {
      if (exchange.saidKey !== undefined) throw new Refusal("upstream-failed", "The answer broke off.");
      await breakOff(exchange);
      break;
    }
    bill.addOutput(part.type === "tool-call" ? part.arguments : part.text);
    const item = toItem(part, issued);
    const last = items.at(-1);
    if (item.type === "text" && last?.type === "text")
      items.splice(-1, 1, { ...last, text: last.text + item.text });
    else items.push(item);
    if (item.type === "text") await take.text(item.text);
    else if (item.type === "tool-call") take.call(item);
    else take.reasoning(item);
  }
  throw new Error("The answer source ended without an end part.");
}

function toItem(part: Exclude<GenerationPart, { type: "end" | "cut" }>, issued: IssuedReasoning): AnswerItem {
  if (part.type === "tool-call") return part;
  const { text } = part;
  if (part.type === "piece") return { type: "text", text };
  return part.isRedacted === true
    ? { type: "redacted", data: issued.sign(text) }
    : { type: "reasoning", text, signature: issued.sign(text) };
}

/**
 * Breaks the connection like a network failure: the client receives all written parts, but no end. Always rejects,
 * because the client is gone.
 */
async function breakOff({ response, signal }: Exchange): Promise<void> {
  await nextTurn(undefined, { signal });
  response.destroy();
  if (!response.closed) await once(response, "close");
  signal.throwIfAborted();
}

async function answerWhole(answer: Answer): Promise<void> {
  let piecesSent = 0;
  const { items, ...end } = await consume(answer, {
    text: () => {
      piecesSent += 1;
    },
    call: () => undefined,
    reasoning: () => undefined,
  });
  answer.exchange.record({ piecesSent });
  answerJson(answer.exchange, 200, answer.shape.whole(answer.head, items, end));
}

async function answerStreamed(answer: Answer): Promise<void> {
  const { exchange, shape, head, bill } = answer;
  exchange.record({ status: 200 });
  exchange.response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  exchange.response.write(shape.opening(head));
  let piecesSent = 0;
  let calls = 0;
  let block = 0;
  let isInText = false;
  const openText = (): void => {
    if (!isInText) exchange.response.write(shape.textOpening(head, block));
    isInText = true;
  };
  const closeText = (): void => {
    if (!isInText) return;
    exchange.response.write(shape.textClosing(head, block));
    isInText = false;
    block += 1;
  };
  try {
    const end = await consume(answer, {
      text: async (text) => {
        openText();
        answer.onPiece?.(text);
        const room = exchange.response.write(shape.piece(head, text, block));
        piecesSent += 1;
        exchange.record({ piecesSent, ...bill.usage });
        if (!room) {
          await once(exchange.response, "drain", { signal: exchange.signal });
        } else if (piecesSent % piecesPerTurn === 0) {
          await nextTurn(undefined, { signal: exchange.signal });
        }
      },
      call: (call) => {
        closeText();
        exchange.response.write(shape.call(head, call, calls, block));
        calls += 1;
        block += 1;
      },
      reasoning: (item) => {
        closeText();
        exchange.response.write(shape.reasoning(head, item, block));
        block += 1;
      },
    });
    if (block === 0) openText();
    closeText();
    exchange.response.end(shape.closing(head, end));
  } catch (error) {
    exchange.signal.throwIfAborted();
    const refusal =
      error instanceof Refusal ? error : new Refusal("upstream-failed", "The answer broke off.");
    exchange.record({ refusal: refusal.kind });
    exchange.response.end(shape.failure(head, withSaidKey(refusal, exchange)));
  }
}
