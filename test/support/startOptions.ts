import { parseArgs } from "node:util";
import { SetupProblem } from "./setupProblem.ts";

/** The real service that `npm start` uses. */
export interface RealService {
  readonly baseUrl: string;
  readonly keyVariable: string;
}

export const startUsage = `Usage: npm start -- [options]

  --base-url <address>     use this service instead of the reference service
  --key-variable <name>    environment variable that holds its key, INFERENCE_API_KEY by default
`;

/** Reads the arguments of `npm start`; returns undefined for the reference service. Throws a `SetupProblem`. */
export function readStartOptions(commandArguments: readonly string[]): RealService | undefined {
  const { values } = parse(commandArguments);
  const baseUrl = values["base-url"];
  if (baseUrl === undefined) {
    if (values["key-variable"] === undefined) return undefined;
    throw new SetupProblem("--key-variable belongs to --base-url: say which service the key is for.");
  }
  if (!URL.canParse(baseUrl)) throw new SetupProblem(`--base-url ${baseUrl} is not an address.`);
  return { baseUrl, keyVariable: values["key-variable"] ?? "INFERENCE_API_KEY" };
}

function parse(commandArguments: readonly string[]) {
  const type = "string";
  try {
    return parseArgs({
      args: [...commandArguments],
      options: { "base-url": { type }, "key-variable": { type } },
    });
  } catch (error) {
    throw new SetupProblem(error instanceof Error ? error.message : "The options could not be read.", {
      cause: error,
    });
  }
}
