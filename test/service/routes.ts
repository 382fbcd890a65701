import { authorize } from "./authorization.ts";
import { chatCompletionsShape } from "./chatCompletionsEndpoint.ts";
import { Refusal } from "./errorAnswers.ts";
import { answerJson, answerRefusal, type Exchange } from "./exchange.ts";
import { answerGeneration, type GenerationSetting } from "./generationEndpoint.ts";
import type { KeyRecord } from "./keyRing.ts";
import { messagesShape } from "./messagesEndpoint.ts";
import { convertModelList } from "./modelsEndpoint.ts";
import type { Style } from "./style.ts";

interface Route {
  readonly method: "GET" | "POST";
  readonly answer: (
    exchange: Exchange,
    setting: GenerationSetting,
    record: KeyRecord,
  ) => Promise<void> | void;
}

const routes: ReadonlyMap<string, Route> = new Map<string, Route>([
  [
    "/v1/models",
    {
      method: "GET",
      answer: (exchange, { catalogue }, record) => {
        const models = catalogue.allowedTo(record);
        const { style, saidKey } = exchange;
        answerJson(exchange, 200, convertModelList(models, style, catalogue.contextWindow, saidKey));
      },
    },
  ],
  [
    "/v1/chat/completions",
    {
      method: "POST",
      answer: (exchange, setting, record) =>
        answerGeneration(exchange, chatCompletionsShape, setting, record),
    },
  ],
  [
    "/v1/messages",
    {
      method: "POST",
      answer: (exchange, setting, record) => answerGeneration(exchange, messagesShape, setting, record),
    },
  ],
]);

/** Answers one request. Never rejects: errors become the answer, or are dropped if the client has disconnected. */
export async function answerCall(exchange: Exchange, setting: GenerationSetting): Promise<void> {
  try {
    const route = findRoute(exchange, setting.quirks().styles);
    const record = authorize(exchange.request.headers, setting.keys, Date.now());
    await route.answer(exchange, setting, record);
  } catch (error) {
    if (exchange.signal.aborted || exchange.request.socket.destroyed) {
      return;
    }
    answerRefusal(
      exchange,
      error instanceof Refusal ? error : new Refusal("internal-error", "The service has a fault of its own."),
    );
  }
}

function findRoute({ method, path, style, response }: Exchange, styles: readonly Style[]): Route {
  const route = routes.get(path);
  if (route === undefined || (route.method === "POST" && !styles.includes(style))) {
    throw new Refusal("unknown-path", `Invalid URL (${method} ${path}). Not found.`);
  }
  if (route.method !== method) {
    response.setHeader("allow", route.method);
    throw new Refusal("wrong-method", `${method} is not allowed for ${path}; use ${route.method}.`);
  }
  return route;
}
