import type { ChatRequest, StreamPart } from "../../protocol/conversation/conversation.ts";
import { adaptBody, fieldOf, isLasting, isSameAdaptation } from "../../protocol/encode/adaptation.ts";
import type { Adaptation } from "../../protocol/encode/adaptation.ts";
import { thinkingField } from "../../protocol/encode/effort.ts";
import { styleFacts, type WireStyle } from "../../protocol/conversation/wireStyle.ts";
import { readAnswer } from "../answer/answer.ts";
import { Call, type CallOptions } from "./call.ts";
import { imageRefused } from "../failure/causeMessages.ts";
import { normaliseMessage } from "../failure/causeRules.ts";
import type { Failure, InferenceError } from "../failure/failure.ts";
import { readRefusedField } from "./refusedField.ts";
import type { Addressee, RequestMemory, ValuedFields } from "./requestMemory.ts";
import type { HttpRequest, HttpResponse } from "../http/transport.ts";

/** Maximum number of changes per request. No known service rejects more fields. */
const maxAdaptations = 4;

/**
 * Called with each field that the request is repeated without.
 * @param value set if the service accepts the field with other values
 */
export type OmittedListener = (field: string, value?: string) => void;

interface GenerationOptions extends CallOptions {
  readonly style: WireStyle;
  readonly request: ChatRequest;
  readonly origin: string;
  readonly memory: RequestMemory;
  readonly onOmitted?: OmittedListener | undefined;
  /** Wraps a body in an HTTP request. */
  readonly wrap: (body: object) => HttpRequest;
}

/** False for usage that the service did not count. A request always has tokens, so all counts of 0 mean no count. */
function isReported(part: StreamPart): boolean {
  if (part.type !== "usage") return true;
  return Object.values(part.usage).some((count) => count > 0);
}

/**
 * One request for an answer. If the service rejects a field by name, the request is sent again without the field or in
 * another form. A rejected request was not started and is not billed. Each attempt is a separate call with its own log
 * record.
 */
export class Generation {
  readonly #options: GenerationOptions;
  readonly #signal: AbortSignal;
  readonly #addressee: Addressee;
  readonly #body: Readonly<Record<string, unknown>>;
  readonly #valued: ValuedFields;
  #adaptations: readonly Adaptation[];
  #left = maxAdaptations;
  #call: Call;

  constructor(options: GenerationOptions, signal: AbortSignal) {
    const { style, request, origin, memory } = options;
    this.#options = options;
    this.#signal = signal;
    this.#addressee = { origin, model: request.model, clientStyle: style.name };
    this.#body = style.encodeRequest(request);
    this.#valued = valuedFieldsOf(options);
    const known = [
      // The user may have set the field after the service refused an effort.
      ...memory.adaptationsFor(this.#addressee).filter((each) => !this.#omitsOwn(each)),
      ...(memory.refusedValues?.adaptationsFor(this.#addressee, this.#valued) ?? []),
    ];
    this.#adaptations = known.filter((each) => this.#mayApply(each));
    this.#call = this.#newCall();
  }

  get requestId(): string | undefined {
    return this.#call.requestId;
  }

  get milliseconds(): number {
    return this.#call.milliseconds;
  }

  /** Resolves at the head of an answer with a success status. Throws the same errors as `Call.send`. */
  async send(onHead?: (milliseconds: number) => void): Promise<HttpResponse> {
    for (;;) {
      try {
        return await this.#call.send(onHead);
      } catch (error) {
        if (!this.adapts(error)) throw error;
      }
    }
  }

  /**
   * Whether the error rejects a field that the request can omit or change. If so, the next `send` does that. Some
   * services reject with a success status. So also call this for an error before the first part of an answer.
   */
  adapts(error: unknown): boolean {
    if (!this.#adapt(this.#call.fail(error))) return false;
    this.#call.close(false);
    this.#call = this.#newCall();
    return true;
  }

  onParts(parts: readonly StreamPart[]): readonly StreamPart[] {
    return this.#call.onParts(parts.filter(isReported));
  }

  /** @param onActivity called at each read, even without a part */
  read(response: HttpResponse, onActivity?: () => void): ReturnType<typeof readAnswer> {
    return readAnswer(this.#options.style, response, Date.now(), (isClosing, hasProgressed) => {
      onActivity?.();
      this.#call.expectClose(isClosing, hasProgressed);
    });
  }

  fail(error: unknown): InferenceError {
    return this.#call.fail(error);
  }

  close(complete: boolean): void {
    this.#call.close(complete);
  }

  /** Whether there is another way to write the request. Remembers a rejected field or image in any case. */
  #adapt(error: InferenceError): boolean {
    const { failure } = error;
    if (failure.kind !== "refused") return false;
    if (isImageRefused(failure, this.#options.request)) {
      const { status, requestId } = failure;
      this.#options.memory.learnNoImages(this.#addressee, {
        status,
        ...(requestId === undefined ? {} : { requestId }),
      });
    }
    const written = this.#written();
    const adaptation = readRefusedField(error, written, this.#valued.own);
    if (adaptation === undefined) return false;
    const field = fieldOf(adaptation);
    const { status, requestId } = failure;
    if (adaptation.kind === "omit-value" || this.#omitsOwn(adaptation))
      this.#options.memory.refusedValues?.add(this.#addressee, adaptation, this.#valued);
    else if (isLasting(adaptation, written))
      this.#options.memory.learn(this.#addressee, adaptation, {
        status,
        ...(requestId === undefined ? {} : { requestId }),
      });
    this.#left -= 1;
    if (this.#left < 0 || !this.#mayApply(adaptation)) return false;
    // If the service rejects both ways to write a field, do not try a third time.
    if (this.#adaptations.some((known) => isSameAdaptation(known, adaptation))) return false;
    this.#adaptations = [...this.#adaptations, adaptation];
    if (adaptation.kind === "omit" || adaptation.kind === "omit-thinking") this.#options.onOmitted?.(field);
    if (adaptation.kind === "omit-value") this.#options.onOmitted?.(field, String(written[field]));
    return true;
  }

  /** Whether the adaptation leaves out a field of the user's settings. Blocks of thinking are no such field. */
  #omitsOwn(adaptation: Adaptation): boolean {
    const field = fieldOf(adaptation);
    const isField =
      adaptation.kind === "omit" ? field !== thinkingField : adaptation.kind === "omit-thinking";
    return isField && this.#valued.own[field] !== undefined;
  }

  #mayApply(adaptation: Adaptation): boolean {
    return this.#options.request.required?.includes(fieldOf(adaptation)) !== true;
  }

  #written(): Readonly<Record<string, unknown>> {
    return adaptBody(this.#encoded(), this.#adaptations);
  }

  /** Without thinking, the sampling fields that thinking excludes are sent again. */
  #encoded(): Readonly<Record<string, unknown>> {
    if (!this.#adaptations.some(({ kind }) => kind === "omit-thinking")) return this.#body;
    const { style } = this.#options;
    const { effort, fields = {}, ...request } = this.#options.request;
    const { [thinkingField]: _, ...others } = fields;
    // In the other client style, the effort is another field.
    const isKept = effort !== undefined && styleFacts[style.name].effort.field !== thinkingField;
    return style.encodeRequest({ ...request, ...(isKept ? { effort } : {}), fields: others });
  }

  #newCall(): Call {
    const { model, clientStyle } = this.#addressee;
    const isStreamed = this.#options.request.stream;
    const options = { ...this.#options, target: { model, clientStyle }, isStreamed };
    return new Call(options, this.#options.wrap(this.#written()), this.#signal);
  }
}

function valuedFieldsOf({ style, request: { fields = {}, ...request } }: GenerationOptions): ValuedFields {
  const body = style.encodeRequest({ ...request, messages: [] });
  const own = Object.entries(fields).filter(([name]) => !(name in body));
  const { field, member } = styleFacts[style.name].effort;
  const isLevel = member === "level" && field in body;
  return { own: Object.fromEntries(own), level: isLevel ? { [field]: body[field] } : {} };
}

/** Whether a request with an image or a tool result was rejected because the model accepts no images. */
function isImageRefused(failure: Failure, { messages }: ChatRequest): boolean {
  if (failure.kind !== "refused") return false;
  const hasImage = messages.some(({ content }) =>
    content.some((part) => part.type === "image" || part.type === "tool-result"),
  );
  return hasImage && imageRefused.test(normaliseMessage(failure.error.message ?? "").message);
}
