import { once } from "node:events";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { AnswerEnd, AnswerHead, AnswerShape } from "./answerShape.ts";
import { Bill } from "./billing.ts";
import { Refusal } from "./errorAnswers.ts";
import { answerJson, type Exchange } from "./exchange.ts";
import type { AnswerSource, Ask, GenerationPart } from "./generation.ts";
import type { KeyRecord, KeyRing } from "./keyRing.ts";
import type { ModelCatalogue } from "./modelsEndpoint.ts";
import { readJsonBody } from "./requestBody.ts";
import { countTokens } from "./tokens.ts";

/** What both endpoints that generate work with. */
export interface GenerationSetting {
  readonly keys: KeyRing;
  readonly catalogue: ModelCatalogue;
  readonly source: AnswerSource;
  /** Bytes of a request body. */
  readonly bodyLimit: number;
}

/** Pieces written before other calls, and the news that the client left, get their turn. */
const piecesPerTurn = 64;

/** Answers a call that generates, whole or streamed, and bills it. */
export async function answerGeneration(
  exchange: Exchange,
  shape: AnswerShape,
  setting: GenerationSetting,
  record: KeyRecord,
): Promise<void> {
  const ask = shape.readAsk(await readJsonBody(exchange.request, setting.bodyLimit));
  checkModel(ask, setting.catalogue, record);
  exchange.record({ model: ask.model, streamed: ask.stream });
  checkBudget(setting.keys, record.key);
  const parts = await setting.source.open(ask, exchange.signal);
  const inputTokens = ask.messages.reduce((sum, { text }) => sum + countTokens(text), 0);
  const head: AnswerHead = {
    requestId: exchange.requestId,
    created: Math.floor(Date.now() / 1000),
    ask,
    inputTokens,
  };
  const bill = new Bill(setting.keys, record.key, inputTokens);
  exchange.record({ inputTokens });
  await (ask.stream ? answerStreamed : answerWhole)({ exchange, shape, head, parts, bill });
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
}

/** Bills and records each part on its way. Returns how the answer ended. */
async function consume(answer: Answer, take: (text: string) => Promise<void> | void): Promise<AnswerEnd> {
  const { exchange, parts, bill } = answer;
  for await (const part of parts) {
    exchange.signal.throwIfAborted();
    if (part.type === "end") {
      bill.settle(part.usage ?? bill.usage);
      exchange.record(bill.usage);
      return { stopReason: part.stopReason, usage: bill.usage };
    }
    bill.addOutput(part.text);
    await take(part.text);
  }
  throw new Error("An answer source ended without its end part.");
}

async function answerWhole(answer: Answer): Promise<void> {
  const texts: string[] = [];
  const end = await consume(answer, (text) => {
    texts.push(text);
  });
  answer.exchange.record({ piecesSent: texts.length });
  answerJson(answer.exchange, 200, answer.shape.whole(answer.head, texts.join(""), end));
}

async function answerStreamed(answer: Answer): Promise<void> {
  const { exchange, shape, head, bill } = answer;
  exchange.record({ status: 200 });
  exchange.response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  exchange.response.write(shape.opening(head));
  let piecesSent = 0;
  try {
    const end = await consume(answer, async (text) => {
      const room = exchange.response.write(shape.piece(head, text));
      piecesSent += 1;
      exchange.record({ piecesSent, ...bill.usage });
      if (!room) {
        await once(exchange.response, "drain", { signal: exchange.signal });
      } else if (piecesSent % piecesPerTurn === 0) {
        await nextTurn(undefined, { signal: exchange.signal });
      }
    });
    exchange.response.end(shape.closing(head, end));
  } catch (error) {
    exchange.signal.throwIfAborted();
    const refusal =
      error instanceof Refusal ? error : new Refusal("upstream-failed", "The answer broke off.");
    exchange.record({ refusal: refusal.kind });
    exchange.response.end(shape.failure(head, refusal));
  }
}
