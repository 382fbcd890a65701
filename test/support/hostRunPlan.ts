import * as v from "valibot";

const planSchema = v.object({
  files: v.array(v.string()),
  /** Folder through which several editors share the files. */
  claims: v.string(),
  resultFile: v.string(),
  reportFile: v.string(),
  grep: v.optional(v.string()),
});

/** The instructions of the outer process to the tests in the extension host, in one environment variable. */
export type HostRunPlan = v.InferOutput<typeof planSchema>;

const variable = "INFERENCE_CHAT_HOST_RUN";

export function writeHostRun(plan: HostRunPlan): Record<string, string> {
  return { [variable]: JSON.stringify(plan) };
}

export function readHostRun(environment: NodeJS.ProcessEnv): HostRunPlan {
  return v.parse(planSchema, JSON.parse(environment[variable] ?? "null"));
}
