import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { fakeKey } from "../unit/service/fixture.ts";

const keyVariable = "INFERENCE_BENCH_KEY";
/** Environment variable with a key for a second service: each key is bound to one service. */
export const otherKeyVariable = "INFERENCE_BENCH_OTHER_KEY";

/** The question in our chats; no other message contains it. */
export const question = "Tell me more";

/** The answer to the next question. */
interface Script {
  /** Text that the message must contain. */
  readonly question: string;
  readonly answer: string;
  /** Called with each piece just before it is written. */
  readonly onPiece: ((text: string) => void) | undefined;
}

export interface ScriptedService extends AsyncDisposable {
  readonly service: ReferenceService;
  readonly connections: readonly { readonly name: string }[];
  /** User settings with a connection to the service. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Environment variables that the extension host needs for the connection. */
  readonly environment: Readonly<Record<string, string>>;
  /** Sets the answer to the next question. Other requests, for example for a title, get one word. */
  answerNext(script: Script): void;
  /** Called with each request that offers tools, before it is answered. */
  onToolRequest: (() => void) | undefined;
  /** @throws Error if our chats have asked anything unscripted, such as a question twice */
  requireScripted(): void;
}

export async function startScriptedService(): Promise<ScriptedService> {
  let next: Script | undefined;
  let hear: Script["onPiece"];
  let unscripted = 0;
  const service = await startReferenceService({
    answers: (message) => {
      const script = next;
      if (script === undefined || !message.includes(script.question)) {
        if (message.includes(question)) unscripted += 1;
        return "Yes.";
      }
      next = undefined;
      hear = script.onPiece;
      return script.answer;
    },
    onPiece: (text) => hear?.(text),
    onAsk: ({ tools }) => {
      if (tools.length > 0) scripted.onToolRequest?.();
    },
  });
  const key = service.keys.add({}, fakeKey("bench"));
  const connections = [{ name: "Bench", baseUrl: service.origin, keyVariable }];
  const scripted: ScriptedService = {
    service,
    connections,
    settings: {
      "inference.connections": connections,
      "inference.maxTokens": 10_000_000,
      // In all of its modes, VS Code's own chat offers only models with tool calling.
      "inference.chat.modelCapabilities": { "*": { toolCalling: true } },
      // Otherwise a long answer would stop and ask.
      "inference.agent.maxRequests": 1_000,
    },
    environment: { [keyVariable]: key, [otherKeyVariable]: fakeKey("bench-other") },
    onToolRequest: undefined,
    answerNext: (script) => {
      next = script;
      hear = undefined;
    },
    requireScripted: () => {
      const count = unscripted;
      unscripted = 0;
      if (count > 0) throw new Error(`Our chats asked ${count} unscripted questions.`);
    },
    [Symbol.asyncDispose]: () => service.close(),
  };
  return scripted;
}
