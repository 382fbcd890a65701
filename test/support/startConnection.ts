import type { Ask } from "../service/generation.ts";
import type { PlannedCalls } from "../service/localGeneration.ts";
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

/** In Plan mode, the demo looks at the workspace and its file before it answers a question. */
function callDemoTools({ messages, tools }: Ask): ReturnType<PlannedCalls> {
  const names = new Set(tools.map(({ name }) => name));
  if (!names.has("list_folder") || !names.has("read_file")) return undefined;
  const last = messages.at(-1);
  // A question that names a tool gets a call of this tool.
  if (last?.role !== "user" || [...names].some((name) => last.text.includes(name))) return undefined;
  return [
    { name: "list_folder", arguments: "{}" },
    { name: "read_file", arguments: JSON.stringify({ path: "summary.ts" }) },
  ];
}

/**
 * Starts the reference service with a new key. The key is in an environment variable and is never shown. Plan mode can
 * be selected at once.
 */
export async function startDemoConnection(): Promise<StartConnection> {
  const service = await startReferenceService({ pace: demoPace, calls: callDemoTools });
  const key = service.keys.add();
  return {
    settings: {
      ...connectionSettings({ name: "Demo", baseUrl: service.origin, keyVariable: demoVariable }),
      "inference.chat.modelCapabilities": { "service-core": { toolCalling: true } },
    },
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
