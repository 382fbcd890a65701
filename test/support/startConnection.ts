import { startReferenceService } from "../service/serve.ts";
import type { RealService } from "./startOptions.ts";

/** A service for the chat, with the settings and the environment that an editor needs. */
export interface StartConnection extends AsyncDisposable {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly environment: Readonly<Record<string, string>>;
  /** Lines of information for the user. */
  readonly description: readonly string[];
}

const demoVariable = "INFERENCE_DEMO_KEY";
/** Milliseconds per generated piece: slow enough to watch an answer stream. */
const demoPace = 20;

/** Starts the reference service with a new key. The key is in an environment variable and is never shown. */
export async function startDemoConnection(): Promise<StartConnection> {
  const service = await startReferenceService({ pace: demoPace });
  const key = service.keys.add();
  return {
    settings: connectionSettings({ name: "Demo", baseUrl: service.origin, keyVariable: demoVariable }),
    environment: { [demoVariable]: key },
    description: [
      `Service:  ${service.origin} (the project's reference service)`,
      `Key:      in the environment variable ${demoVariable} of the editor`,
    ],
    [Symbol.asyncDispose]: () => service.close(),
  };
}

/**
 * Returns the settings for a real service. If its environment variable has no key, the description tells the user how
 * to set one.
 */
export function nameRealConnection(
  { baseUrl, keyVariable }: RealService,
  environment: NodeJS.ProcessEnv,
): StartConnection {
  const key = environment[keyVariable] ?? "";
  const { host } = new URL(baseUrl);
  const connection = { name: host === "" ? "Service" : host, baseUrl };
  return {
    settings: connectionSettings(key === "" ? connection : { ...connection, keyVariable }),
    environment: {},
    description: [
      `Service:  ${baseUrl}`,
      key === ""
        ? `Key:      ${keyVariable} is empty; run "Inference Chat: Set API Key..." in the editor`
        : `Key:      in the environment variable ${keyVariable}`,
    ],
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function connectionSettings(connection: Readonly<Record<string, string>>): Record<string, unknown> {
  return { "inference.connections": [connection] };
}
