import * as v from "valibot";
import type { StopReason, ToolArguments } from "../../protocol/conversation/conversation.ts";
import { causes } from "../../client/failure/cause.ts";
import { diagnosisActionIds } from "../../connection/diagnosis/diagnosisActions.ts";
import { readToolArguments } from "../../protocol/conversation/toolCalls.ts";
import { clientStyles } from "../../protocol/conversation/wireStyle.ts";
import {
  type AnswerTurn,
  changesStates,
  type ChatSelection,
  type QuestionTurn,
  type SettledState,
  type StoredEvent,
  type QuestionPrompt,
} from "./transcript.ts";
import { outlineSchema } from "./answerOutline.ts";
import { type Attachment, attachmentKinds } from "./attachments.ts";
import {
  type AnswerStep,
  callOutcomes,
  type CallResult,
  messageSources,
  type StepMessage,
  toolModes,
} from "./steps.ts";

/** UTF-16 units. The page accepts questions of 4 million. Answers are stored in pieces, which are joined. */
const maxTextLength = 16 * 1024 * 1024;

const text = v.pipe(v.string(), v.maxLength(maxTextLength));
const line = v.pipe(v.string(), v.maxLength(4096));
const id = v.pipe(v.string(), v.minLength(1), v.maxLength(64));
const tokens = v.exactOptional(v.pipe(v.number(), v.finite(), v.minValue(0)));

/**
 * A date and time in ISO 8601 that `Date` can parse. The standard allows offsets without minutes, but `Date` does not.
 * So the minutes are added.
 */
export const timeSchema = v.pipe(
  v.string(),
  v.maxLength(40),
  v.isoTimestamp(),
  v.transform((time) => time.replace(/[+-]\d\d$/, "$&:00")),
  v.check((time) => !Number.isNaN(Date.parse(time))),
);

const lineNumber = v.pipe(v.number(), v.integer(), v.minValue(1));
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const placeSchema = v.object({
  path: v.string(),
  cell: v.exactOptional(lineNumber),
  firstLine: v.exactOptional(lineNumber),
  lastLine: v.exactOptional(lineNumber),
});

type Content = NonNullable<Attachment["content"]>;

/** An attachment in a stored conversation. */
export const attachmentSchema = v.object({
  id: v.string(),
  kind: v.picklist(attachmentKinds),
  name: v.string(),
  detail: v.string(),
  characters: count,
  trimmedFrom: v.exactOptional(count),
  place: v.exactOptional(placeSchema),
  guessedEncoding: v.exactOptional(v.pipe(v.string(), v.maxLength(40))),
  content: v.exactOptional(
    v.variant(
      "type",
      Object.values({
        text: v.object({ type: v.literal("text"), text: v.string(), language: v.string() }),
        image: v.object({ type: v.literal("image"), mediaType: v.string(), data: v.string() }),
        pdf: v.object({ type: v.literal("pdf"), data: v.string() }),
      } satisfies {
        [Type in Content["type"]]: v.GenericSchema<unknown, Extract<Content, { type: Type }>>;
      }),
    ),
  ),
});

/** The omitted parts of a request, in a stored conversation. */
export const omittedTurnsSchema = v.object({
  turns: count,
  attachments: count,
  images: v.exactOptional(count),
  pdfs: v.exactOptional(count),
  sentTokens: v.exactOptional(count),
});

const usageSchema = v.object({
  inputTokens: tokens,
  cacheReadTokens: tokens,
  cacheWriteTokens: tokens,
  outputTokens: tokens,
  reasoningTokens: tokens,
  totalTokens: tokens,
});

const priceSchema = v.object({
  input: v.pipe(v.number(), v.finite(), v.minValue(0)),
  output: v.pipe(v.number(), v.finite(), v.minValue(0)),
  currency: v.pipe(
    v.string(),
    v.check((code) => /^[A-Z]{3}$/.test(code)),
  ),
});

const diagnosisSchema = v.object({
  cause: v.picklist(causes),
  title: line,
  explanation: line,
  evidence: v.pipe(v.array(line), v.maxLength(100)),
  actions: v.pipe(
    v.array(v.object({ id: v.picklist(diagnosisActionIds), label: line })),
    v.maxLength(diagnosisActionIds.length),
  ),
  requestId: v.exactOptional(line),
});

const stopReasons = {
  stop: null,
  length: null,
  "tool-calls": null,
  "content-filter": null,
  other: null,
} satisfies Record<StopReason, null>;

const settledStateSchema = v.variant(
  "kind",
  Object.values({
    complete: v.object({ kind: v.literal("complete"), reason: v.pipe(v.string(), v.guard(isStopReason)) }),
    stopped: v.object({ kind: v.literal("stopped") }),
    interrupted: v.object({ kind: v.literal("interrupted") }),
    failed: v.object({ kind: v.literal("failed"), diagnosis: diagnosisSchema }),
  } satisfies {
    [Kind in SettledState["kind"]]: v.GenericSchema<unknown, Extract<SettledState, { kind: Kind }>>;
  }),
);

function isStopReason(reason: string): reason is StopReason {
  return Object.hasOwn(stopReasons, reason);
}

export const promptSchema = v.object({
  name: v.pipe(v.string(), v.maxLength(64)),
  text,
  place: v.exactOptional(placeSchema),
  ignored: v.exactOptional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(64))), v.maxLength(20))),
}) satisfies v.GenericSchema<unknown, QuestionPrompt>;

const questionSchema = v.object({
  kind: v.literal("question"),
  id,
  parentId: v.nullable(id),
  text,
  at: timeSchema,
  attachments: v.exactOptional(v.array(attachmentSchema)),
  prompt: v.exactOptional(promptSchema),
  instructions: v.exactOptional(v.array(attachmentSchema)),
  included: v.exactOptional(v.boolean()),
}) satisfies v.GenericSchema<unknown, QuestionTurn>;

/** Name of a request field. */
const fieldName = v.pipe(v.string(), v.maxLength(100));

const answerEntries = {
  kind: v.literal("answer"),
  id,
  parentId: id,
  text,
  reasoning: text,
  connection: line,
  origin: v.exactOptional(line),
  model: line,
  clientStyle: v.picklist(clientStyles),
  isOneTime: v.exactOptional(v.boolean()),
  at: timeSchema,
  usage: v.exactOptional(usageSchema),
  price: v.exactOptional(priceSchema),
  requestId: v.exactOptional(line),
  leftOut: v.exactOptional(omittedTurnsSchema),
  refusedFields: v.exactOptional(v.pipe(v.array(fieldName), v.maxLength(20))),
  mode: v.exactOptional(v.picklist(toolModes)),
  maxRequests: v.exactOptional(count),
} as const;

const facts = v.object({
  firstLine: v.exactOptional(lineNumber),
  lastLine: v.exactOptional(count),
  count: v.exactOptional(count),
  isCut: v.exactOptional(v.boolean()),
  path: v.exactOptional(line),
  added: v.exactOptional(count),
  removed: v.exactOptional(count),
  isNew: v.exactOptional(v.boolean()),
  exitCode: v.exactOptional(v.pipe(v.number(), v.integer())),
  isInBackground: v.exactOptional(v.boolean()),
  isFromOutside: v.exactOptional(v.boolean()),
});

const callResultSchema = v.object({
  outcome: v.picklist(callOutcomes),
  text,
  images: v.exactOptional(v.array(v.object({ mediaType: line, data: text }))),
  facts: v.exactOptional(facts),
}) satisfies v.GenericSchema<unknown, CallResult>;

/** A file that somebody else wrote may hold arguments that are nested too deep. They become invalid. */
const toolArgumentsSchema = v.pipe(
  v.variant("kind", [
    v.object({ kind: v.literal("object"), value: v.record(v.string(), v.unknown()) }),
    v.object({ kind: v.literal("invalid"), text }),
  ]),
  v.transform((given): ToolArguments => (given.kind === "object" ? readToolArguments(given.value) : given)),
);

const call = { id: line, name: line, arguments: toolArgumentsSchema } as const;

const stepMessageSchema = v.object({
  by: v.picklist(messageSources),
  text,
  attachments: v.exactOptional(v.array(attachmentSchema)),
}) satisfies v.GenericSchema<unknown, StepMessage>;

/** Calls of one step. A service that sends more gets an error for the rest. */
const maxCalls = 1000;

const stepSchema = v.object({
  textEnd: count,
  reasoningEnd: count,
  usage: v.exactOptional(usageSchema),
  outline: outlineSchema,
  calls: v.pipe(
    v.array(v.object({ ...call, state: v.object({ kind: v.literal("settled"), result: callResultSchema }) })),
    v.maxLength(maxCalls),
  ),
  messages: v.exactOptional(v.array(stepMessageSchema)),
}) satisfies v.GenericSchema<unknown, AnswerStep>;

const startedAnswerSchema = v.object({
  ...answerEntries,
  state: v.object({ kind: v.literal("waiting") }),
}) satisfies v.GenericSchema<unknown, AnswerTurn>;

/** A turn in an exported conversation. Such turns never change. */
export const settledTurnSchema = v.variant("kind", [
  questionSchema,
  v.object({
    ...answerEntries,
    state: settledStateSchema,
    earlierUsage: v.exactOptional(usageSchema),
    steps: v.exactOptional(v.array(stepSchema)),
    changes: v.exactOptional(v.picklist(changesStates)),
  }),
]);

/** A model ID is checked when it is used, because services list IDs of any form. */
export const chatSelectionSchema = v.object({
  connection: line,
  model: line,
  clientStyle: v.exactOptional(v.picklist(clientStyles)),
}) satisfies v.GenericSchema<unknown, ChatSelection>;

/**
 * A stored change of a transcript. Unknown fields are dropped. The events `question-included` and `target-selected`
 * have their own record (`MetaRecord`).
 */
export const transcriptEventSchema = v.variant(
  "type",
  Object.values({
    "question-asked": v.object({ type: v.literal("question-asked"), turn: questionSchema }),
    "answer-started": v.object({ type: v.literal("answer-started"), turn: startedAnswerSchema }),
    "answer-resumed": v.object({ type: v.literal("answer-resumed"), turnId: id }),
    "step-ended": v.object({
      type: v.literal("step-ended"),
      calls: v.pipe(v.array(v.object({ type: v.literal("tool-call"), ...call })), v.maxLength(maxCalls)),
      outline: outlineSchema,
    }),
    "call-settled": v.object({ type: v.literal("call-settled"), call: count, result: callResultSchema }),
    "message-added": v.object({ type: v.literal("message-added"), message: stepMessageSchema }),
    "text-delta": v.object({ type: v.literal("text-delta"), text }),
    "reasoning-delta": v.object({ type: v.literal("reasoning-delta"), text }),
    usage: v.object({ type: v.literal("usage"), usage: usageSchema }),
    "request-id": v.object({ type: v.literal("request-id"), requestId: line }),
    "field-refused": v.object({ type: v.literal("field-refused"), field: fieldName }),
    "answer-ended": v.object({ type: v.literal("answer-ended"), state: settledStateSchema }),
    "version-selected": v.object({ type: v.literal("version-selected"), turnId: id }),
    "changes-settled": v.object({
      type: v.literal("changes-settled"),
      turnId: id,
      state: v.picklist(changesStates),
    }),
  } satisfies {
    [Type in StoredEvent["type"]]: v.GenericSchema<unknown, Extract<StoredEvent, { type: Type }>>;
  }),
);
