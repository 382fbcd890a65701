import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { fakeKey } from "../unit/service/fixture.ts";

const keyVariable = "INFERENCE_BENCH_KEY";
/** Holds a key for any other service: a key goes to one only. */
export const otherKeyVariable = "INFERENCE_BENCH_OTHER_KEY";

/** The question of every chat here. */
export const question = "Go on";

/** The service, which is told what to answer next. */
export interface ScriptedService extends AsyncDisposable {
  readonly service: ReferenceService;
  readonly connections: readonly object[];
  /** The user's settings with a connection to it. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** What the extension host needs to see for that. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * The answer to the next question, and who hears of its pieces just before each is written. What the editor
   * asks beside it, such as a title, gets a word.
   */
  answerNext(text: string, onPiece?: (text: string) => void): void;
}

const ignore = (): void => undefined;

export async function startScriptedService(): Promise<ScriptedService> {
  let next: string | undefined;
  let hear: (text: string) => void = ignore;
  const service = await startReferenceService({
    answers: (message) => {
      if (next === undefined || !message.includes(question)) return "Yes.";
      const answer = next;
      next = undefined;
      return answer;
    },
    onPiece: (text) => hear(text),
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
    answerNext: (text, onPiece = ignore) => {
      next = text;
      hear = onPiece;
    },
    [Symbol.asyncDispose]: () => service.close(),
  };
}
