import { ApiKey } from "../../client/key/apiKey.ts";
import { InferenceError } from "../../client/failure/failure.ts";
import type { KeyProblem } from "../../client/failure/failure.ts";
import { readKey } from "../../connection/setup/keyHygiene.ts";

/**
 * The key in the value of an environment variable. It is not mended: what else reads the variable
 * would go on sending what stands there.
 * @throws InferenceError `key`, with what is wrong with the value and never the value
 */
export function readVariableKey(value: string | undefined, variable: string, origin: string): ApiKey {
  const reading = readKey(value ?? "");
  switch (reading.kind) {
    case "clean":
      return new ApiKey(reading.key, origin);
    case "mended":
      throw new InferenceError({ kind: "key", cause: "malformed-key", variable, mends: reading.mends });
    case "unusable": {
      const { problem } = reading;
      throw new InferenceError({ kind: "key", cause: causeOfKeyProblem(problem), variable, problem });
    }
  }
}

function causeOfKeyProblem(problem: KeyProblem): "empty-key" | "malformed-key" | "not-a-key" {
  switch (problem) {
    case "empty":
      return "empty-key";
    case "login":
    case "password":
    case "session-token":
    case "url":
      return "not-a-key";
    case "masked":
    case "not-ascii":
    case "prose":
    case "several":
      return "malformed-key";
  }
}
