import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { fakeKey } from "../unit/service/fixture.ts";

const keyVariable = "INFERENCE_BENCH_KEY";
/** Holds a key for any other service: a key goes to one only. */
export const otherKeyVariable = "INFERENCE_BENCH_OTHER_KEY";

/** The question of our chats, in which nobody else's is found. */
export const question = "Tell me more";

/** What a chat is to be answered next. */
interface Script {
  /** What the message has in it that is to be answered. */
  readonly question: string;
  readonly answer: string;
  /** Hears of each piece just before it is written. */
  readonly onPiece: ((text: string) => void) | undefined;
}

/** The service, which is told what to answer next. */
export interface ScriptedService extends AsyncDisposable {
  readonly service: ReferenceService;
  readonly connections: readonly { readonly name: string }[];
  /** The user's settings with a connection to it. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** What the extension host needs to see for that. */
  readonly environment: Readonly<Record<string, string>>;
  /** How the next question is answered. What is asked beside it, such as a title, gets a word. */
  answerNext(script: Script): void;
  /** @throws Error where one of our chats has asked what was not to be asked, such as its question again */
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
  });
  const key = service.keys.add({}, fakeKey("bench"));
  const connections = [{ name: "Bench", baseUrl: service.origin, keyVariable }];
  return {
    service,
    connections,
    settings: {
      "inference.connections": connections,
      "inference.maxTokens": 10_000_000,
      // The editor's own chat offers no others in all of its modes.
      "inference.chat.modelCapabilities": { "*": { toolCalling: true } },
    },
    environment: { [keyVariable]: key, [otherKeyVariable]: fakeKey("bench-other") },
    answerNext: (script) => {
      next = script;
      hear = undefined;
    },
    requireScripted: () => {
      const count = unscripted;
      unscripted = 0;
      if (count > 0) throw new Error(`A chat has asked ${count} times what was not to be asked.`);
    },
    [Symbol.asyncDispose]: () => service.close(),
  };
}
