import type { InferenceError } from "../../client/failure/failure.ts";
import type { InferenceClient } from "../../client/request/inferenceClient.ts";
import type { RequestMemory } from "../../client/request/requestMemory.ts";
import { fail } from "../../client/failure/toFailure.ts";
import type { Translate } from "../../text/translate.ts";
import { type LastingAdaptation, fieldOf } from "../../protocol/encode/adaptation.ts";
import type { StreamPart } from "../../protocol/conversation/conversation.ts";
import type { ClientStyle } from "../../protocol/conversation/wireStyle.ts";
import { type ProbeResult, type ProbeStep, adaptationText } from "./compatibility.ts";
import { causeTable } from "../diagnosis/causeTable.ts";
import type { Diagnosis } from "../diagnosis/diagnosis.ts";
import { judgeRefusal, type Probe, probes, type Verdict } from "./probes.ts";
import { cleanResponse, toProbeResponse, type ProbeResponse } from "./probeResponse.ts";

export interface VerificationOptions {
  readonly model: string;
  readonly steps: readonly ProbeStep[];
  /** Stores adaptations to refused fields. */
  readonly memory: RequestMemory;
  readonly createClient: (memory: RequestMemory) => InferenceClient;
  readonly diagnose: (error: InferenceError) => Diagnosis;
  readonly now: () => Date;
  readonly t: Translate;
  /** Called before the first request of each step. */
  readonly onStep: (step: ProbeStep) => void;
  readonly onResult: (result: ProbeResult) => void;
}

/** How a verification ended. Results are passed to `onResult`. */
export type VerificationEnd =
  | { readonly kind: "complete" }
  | { readonly kind: "cancelled" }
  /** The service, the key, or the network failed, so further requests would prove nothing. */
  | { readonly kind: "failed"; readonly diagnosis: Diagnosis };

/** Runs the selected probes one after the other. A step that is not reached has no result and stays unknown. */
export function verifyCompatibility(
  options: VerificationOptions,
  signal: AbortSignal,
): Promise<VerificationEnd> {
  return new Verification(options, signal).run();
}

class Verification {
  readonly #options: VerificationOptions;
  readonly #signal: AbortSignal;
  readonly #client: InferenceClient;
  readonly #notOffered = new Set<ClientStyle>();
  readonly #answeredStyles = new Set<ClientStyle>();
  #learnt: LastingAdaptation[] = [];

  constructor(options: VerificationOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    const { memory } = options;
    this.#client = options.createClient({
      adaptationsFor: (asked) => memory.adaptationsFor(asked),
      learnNoImages: (asked, refusal) => memory.learnNoImages(asked, refusal),
      learn: (asked, adaptation, refusal) => {
        this.#learnt.push(adaptation);
        memory.learn(asked, adaptation, refusal);
      },
    });
  }

  async run(): Promise<VerificationEnd> {
    for (const step of this.#options.steps) {
      if (this.#signal.aborted) return { kind: "cancelled" };
      if (this.#notOffered.has(step.clientStyle)) continue;
      this.#options.onStep(step);
      const error = await this.#try(step);
      if (this.#signal.aborted) return { kind: "cancelled" };
      if (error !== undefined) return { kind: "failed", diagnosis: this.#options.diagnose(error) };
    }
    return { kind: "complete" };
  }

  /** Returns the error that ends the verification, or undefined. */
  async #try(step: ProbeStep): Promise<InferenceError | undefined> {
    const { t } = this.#options;
    const { request, judge, followUp } = probes[step.probe];
    this.#learnt = [];
    const first = await this.#look(step, request);
    if ("error" in first) return this.#fail(step, first.error);
    if (this.#signal.aborted) return undefined;
    this.#answeredStyles.add(step.clientStyle);
    const next = followUp?.request(first.response);
    if (followUp === undefined || next === undefined) {
      this.#report(step, first.response, judge(first.response, t));
      return undefined;
    }
    const second = await this.#look(step, next);
    if ("error" in second)
      return this.#fail(step, second.error, (evidence) => followUp.refused(first.response, evidence, t));
    if (!this.#signal.aborted)
      this.#report(step, second.response, followUp.judge(first.response, second.response, t));
    return undefined;
  }

  async #look(
    step: ProbeStep,
    request: Probe["request"],
  ): Promise<{ readonly response: ProbeResponse } | { readonly error: InferenceError }> {
    try {
      const batches = await this.#request(step, request);
      return {
        response: cleanResponse(toProbeResponse(batches), (text) => this.#client.redactServiceText(text)),
      };
    } catch (error) {
      return { error: fail(error) };
    }
  }

  #report(step: ProbeStep, { requestId }: ProbeResponse, { state, evidence }: Verdict): void {
    const { t, onResult, now } = this.#options;
    const changes = this.#learnt.map((adaptation) => adaptationText(adaptation, t));
    onResult({
      ...step,
      state,
      evidence: [evidence, ...changes].join("; "),
      at: now().toISOString(),
      ...(requestId === undefined ? {} : { requestId }),
    });
  }

  async #request(
    { clientStyle }: ProbeStep,
    asked: Probe["request"],
  ): Promise<readonly (readonly StreamPart[])[]> {
    const request = { ...asked, model: this.#options.model };
    if (request.stream) {
      const batches: (readonly StreamPart[])[] = [];
      for await (const batch of this.#client.streamChat(clientStyle, request, this.#signal))
        batches.push(batch);
      return batches;
    }
    const { value, requestId } = await this.#client.complete(clientStyle, request, this.#signal);
    return [requestId === undefined ? value : [{ type: "request-id", requestId }, ...value]];
  }

  /** @param explain adds the failed request to the evidence, if the probe sends several */
  #fail(
    step: ProbeStep,
    error: InferenceError,
    explain = (evidence: string): string => evidence,
  ): InferenceError | undefined {
    const { t, onResult, now } = this.#options;
    const { failure, cause } = error;
    const status = "status" in failure ? failure.status : undefined;
    const isPath = cause === "wrong-path" || (cause === "not-an-api" && (status === 404 || status === 405));
    // If the client style has already answered a request, its path exists, regardless of this error.
    const isAbsent = isPath && !this.#answeredStyles.has(step.clientStyle);
    if (!isPath && !causeTable[cause].isOfOneRequest) return error;
    if (isAbsent) this.#notOffered.add(step.clientStyle);
    const { required = [] } = probes[step.probe].request;
    const verdict = judgeRefusal(
      {
        failure,
        cause,
        isAbsent,
        isNamed: this.#learnt.some((adaptation) => required.includes(fieldOf(adaptation))),
        hasAnsweredOthers: this.#answeredStyles.has(step.clientStyle),
        refusedBy: probes[step.probe].refusedBy,
      },
      t,
    );
    const requestId = "requestId" in failure ? failure.requestId : undefined;
    onResult({
      ...step,
      ...verdict,
      evidence: explain(verdict.evidence),
      at: now().toISOString(),
      ...(status === undefined ? {} : { status }),
      ...(requestId === undefined ? {} : { requestId }),
    });
    return undefined;
  }
}
