import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { KeyTerms } from "./keyRing.ts";
import { readScript, type ScriptStep } from "./script.ts";
import { defaultModels, type ReferenceServiceOptions } from "./serve.ts";

export interface CommandLine {
  readonly service: ReferenceServiceOptions;
  /** Absent if the service makes a demo key. */
  readonly key: string | undefined;
  readonly terms: KeyTerms;
}

/** A command line that the service can't start with. */
export class UsageError extends Error {}

export const usage = `Usage: npm run service -- [options]

  --key-variable <name>           read the API key from this environment variable
  --key <key>                     the API key itself (other users of this computer can see it)
                                  Without a key, the service creates a demo key and prints it once.
  --budget <tokens>               number of tokens that the key can use
  --expires <when>                when the key expires: a date (2027-01-31, 2027-01-31T12:00:00Z) or a time
                                  from now (90s, 30m, 2h, 7d)
  --models <id,id>                IDs of the models that the key can use
  --port <port>                   default: a free port
  --pace <milliseconds>           wait before each piece of an answer (default: 20, no wait: 0)
  --script <file>                answer requests that offer tools by this script (JSON, see test/service/script.ts)
  --demand-reasoning              if a request offers tools, the model returns its reasoning, and later requests
                                  must contain that reasoning
  --say-key                       show parts of the key in errors, headers, and model IDs
  --upstream <base URL>           let this Chat Completions service generate the answers
  --upstream-key-variable <name>  read the API key for the upstream service from this environment variable
`;

const unitMilliseconds: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Reads the arguments that follow the script's name. Throws a `UsageError`. */
export function readCommandLine(
  arguments_: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  now: number,
): CommandLine {
  const values = parse(arguments_);
  const upstreamAddress = values.upstream;
  const models = values.models?.split(",").map((name) => name.trim());
  const upstreamKeyVariable = values["upstream-key-variable"];
  const quirks = {
    ...(values["demand-reasoning"] === true ? { demandsReasoning: true } : {}),
    ...(values["say-key"] === true ? { saysKey: true } : {}),
  };
  return {
    key: readKey(values.key, values["key-variable"], environment),
    terms: {
      budget: readWholeNumber("--budget", values.budget),
      expiresAt: readMoment(values.expires, now),
      models,
    },
    service: {
      port: readWholeNumber("--port", values.port),
      pace: readWholeNumber("--pace", values.pace) ?? 20,
      ...(values.script === undefined ? {} : { script: readScriptFile(values.script) }),
      ...(Object.keys(quirks).length === 0 ? {} : { quirks }),
      // The service also offers the models that `--models` allows. With an upstream, it lists the upstream's
      // models.
      models: upstreamAddress === undefined ? [...defaultModels, ...(models ?? [])] : undefined,
      upstream:
        upstreamAddress === undefined
          ? undefined
          : {
              baseAddress: upstreamAddress,
              key:
                upstreamKeyVariable === undefined
                  ? undefined
                  : readVariable(upstreamKeyVariable, environment),
            },
    },
  };
}

function parse(arguments_: readonly string[]) {
  const type = "string";
  try {
    return parseArgs({
      args: [...arguments_],
      options: {
        key: { type },
        "key-variable": { type },
        budget: { type },
        expires: { type },
        models: { type },
        port: { type },
        pace: { type },
        script: { type },
        "demand-reasoning": { type: "boolean" },
        "say-key": { type: "boolean" },
        upstream: { type },
        "upstream-key-variable": { type },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : "Couldn't read the options.", {
      cause: error,
    });
  }
}

function readScriptFile(file: string): readonly ScriptStep[] {
  try {
    return readScript(readFileSync(file, "utf8"));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`The script ${file} can't be read: ${reason}`, { cause: error });
  }
}

function readKey(
  key: string | undefined,
  variable: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  if (key !== undefined && variable !== undefined) {
    throw new UsageError("Give either --key or --key-variable.");
  }
  return variable === undefined ? key : readVariable(variable, environment);
}

function readVariable(name: string, environment: Readonly<Record<string, string | undefined>>): string {
  const value = environment[name] ?? "";
  if (value === "") {
    throw new UsageError(`The environment variable ${name} is not set or is empty.`);
  }
  return value;
}

function readWholeNumber(option: string, text: string | undefined): number | undefined {
  if (text !== undefined && !/^\d{1,15}$/u.test(text)) {
    throw new UsageError(`${option} needs a whole number.`);
  }
  return text === undefined ? undefined : Number(text);
}

function readMoment(text: string | undefined, now: number): Date | undefined {
  if (text === undefined) {
    return undefined;
  }
  const [, count, unit] = /^(\d{1,9})([smhd])$/u.exec(text) ?? [];
  const milliseconds =
    count === undefined || unit === undefined
      ? Date.parse(text)
      : now + Number(count) * (unitMilliseconds[unit] ?? 0);
  if (Number.isNaN(milliseconds)) {
    throw new UsageError("--expires needs a date such as 2027-01-31 or a time from now such as 30m.");
  }
  return new Date(milliseconds);
}
