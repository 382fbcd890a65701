import { InferenceError } from "../../client/failure/failure.ts";
import type { Connection } from "../../connection/setup/connection.ts";
import type { Diagnosis } from "../../connection/diagnosis/diagnosis.ts";
import type { Model } from "../../protocol/decode/modelList.ts";
import type { ModelSources } from "./modelPicker.ts";

/** Rejects with an error whose message is the diagnosis and whose `cause` is the cause's id. */
export async function listModelsForScript(
  { catalog, clients }: ModelSources,
  connection: Connection,
): Promise<{ connection: string; models: readonly Model[] }> {
  try {
    const { models } = await catalog.refresh(connection, new AbortController().signal);
    return { connection: connection.name, models };
  } catch (error) {
    if (!(error instanceof InferenceError)) throw error;
    const { diagnose } = await clients.serviceOf(connection);
    throw toScriptError(diagnose(error.failure));
  }
}

/** A failure as the public interface hands it to scripts: the diagnosis, and the cause's id. */
function toScriptError({ title, explanation, cause }: Diagnosis): Error {
  return new Error(`${title}. ${explanation}`, { cause });
}
