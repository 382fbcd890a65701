import * as v from "valibot";
import { maxAnswerCharacters } from "../../client/http/body.ts";
import { diagnosisActionIds } from "../../connection/diagnosis/diagnosisActions.ts";
import { allowScopes, type CallReply } from "../transcript/steps.ts";
import {
  changesActionIds,
  choiceIds,
  type ContextRequest,
  contextRequestTraits,
  type FromWebview,
  type OutdatedTreatment,
  maxTextLength,
  messageTraits,
  type PageMessage,
  type PromptRequest,
} from "./protocol.ts";
import { attachmentLimits } from "../transcript/attachments.ts";

/** UTF-16 units. Larger than a question may be, so that a longer draft survives when the page is hidden. */
const maxDraftLength = 16 * maxTextLength;
/** UTF-16 units. The last piece of an answer may exceed the limit for answers. */
const maxAnswerLength = 2 * maxAnswerCharacters;

const text = v.pipe(v.string(), v.maxLength(maxTextLength));
const answerText = v.pipe(v.string(), v.maxLength(maxAnswerLength));
/** ID of a turn or a chat. */
const id = v.pipe(v.string(), v.maxLength(64));
const sentence = v.pipe(v.string(), v.maxLength(1000));
const searchId = v.pipe(v.number(), v.integer(), v.minValue(0));
const fileName = v.pipe(v.string(), v.maxLength(400));

const name = v.pipe(v.string(), v.maxLength(1024));
const maxBase64Length = Math.ceil(attachmentLimits.pdfBytes / 3) * 4;

/** Validates the page's requests about attachments. */
const contextRequestSchema = v.variant(
  "type",
  Object.values({
    choose: v.strictObject({ type: v.literal("choose") }),
    attach: v.strictObject({ type: v.literal("attach"), offerId: v.pipe(v.string(), v.maxLength(8192)) }),
    find: v.strictObject({
      type: v.literal("find"),
      searchId,
      typed: v.pipe(v.string(), v.maxLength(8192)),
    }),
    "stop-finding": v.strictObject({ type: v.literal("stop-finding") }),
    "attach-uris": v.strictObject({
      type: v.literal("attach-uris"),
      uris: v.pipe(v.array(v.pipe(v.string(), v.maxLength(8192))), v.maxLength(attachmentLimits.count)),
    }),
    "attach-data": v.strictObject({
      type: v.literal("attach-data"),
      name,
      mediaType: v.pipe(v.string(), v.maxLength(128)),
      data: v.pipe(v.string(), v.maxLength(maxBase64Length)),
    }),
    "refuse-data": v.strictObject({
      type: v.literal("refuse-data"),
      name,
      bytes: v.exactOptional(v.number()),
    }),
    "refuse-rest": v.strictObject({
      type: v.literal("refuse-rest"),
      count: v.pipe(v.number(), v.integer(), v.minValue(1)),
    }),
    "attach-text": v.strictObject({
      type: v.literal("attach-text"),
      text: v.pipe(v.string(), v.maxLength(attachmentLimits.characters)),
    }),
    remove: v.strictObject({ type: v.literal("remove"), id }),
    trim: v.strictObject({ type: v.literal("trim"), id }),
    open: v.strictObject({ type: v.literal("open"), id, turnId: v.exactOptional(id) }),
  } satisfies {
    [Type in ContextRequest["type"]]: v.GenericSchema<unknown, Extract<ContextRequest, { type: Type }>>;
  }),
);

const promptRequestSchema = v.variant(
  "type",
  Object.values({
    find: v.strictObject({ type: v.literal("find"), searchId, typed: sentence }),
    choose: v.strictObject({ type: v.literal("choose"), name: id }),
  } satisfies {
    [Type in PromptRequest["type"]]: v.GenericSchema<unknown, Extract<PromptRequest, { type: Type }>>;
  }),
);

const callReplySchema = v.variant(
  "type",
  Object.values({
    allow: v.strictObject({ type: v.literal("allow"), scope: v.picklist(allowScopes) }),
    deny: v.strictObject({ type: v.literal("deny"), why: text }),
    answer: v.strictObject({ type: v.literal("answer"), text }),
    "continue-in-background": v.strictObject({ type: v.literal("continue-in-background") }),
  } satisfies {
    [Type in CallReply["type"]]: v.GenericSchema<unknown, Extract<CallReply, { type: Type }>>;
  }),
);

/** Validates messages of the page. The page displays texts of servers, so its messages are not trusted. */
const fromWebviewSchema = v.variant(
  "type",
  Object.values({
    ready: v.strictObject({ type: v.literal("ready") }),
    focused: v.strictObject({ type: v.literal("focused") }),
    blurred: v.strictObject({ type: v.literal("blurred") }),
    typing: v.strictObject({ type: v.literal("typing"), isTyping: v.boolean() }),
    send: v.strictObject({ type: v.literal("send"), text }),
    stop: v.strictObject({ type: v.literal("stop") }),
    "reply-call": v.strictObject({
      type: v.literal("reply-call"),
      turnId: id,
      call: v.pipe(v.number(), v.integer(), v.minValue(0)),
      reply: callReplySchema,
    }),
    "mend-mode": v.strictObject({ type: v.literal("mend-mode"), by: v.picklist(["removing", "asking"]) }),
    "reply-pause": v.strictObject({ type: v.literal("reply-pause"), turnId: id, goesOn: v.boolean() }),
    resume: v.strictObject({ type: v.literal("resume"), turnId: id }),
    changes: v.strictObject({
      type: v.literal("changes"),
      turnId: id,
      action: v.picklist(changesActionIds),
      path: v.exactOptional(v.pipe(v.string(), v.maxLength(4096))),
    }),
    continue: v.strictObject({ type: v.literal("continue") }),
    "retry-now": v.strictObject({ type: v.literal("retry-now") }),
    "keep-waiting": v.strictObject({ type: v.literal("keep-waiting") }),
    retry: v.strictObject({ type: v.literal("retry"), turnId: id }),
    "retry-with": v.strictObject({ type: v.literal("retry-with"), turnId: id }),
    edit: v.strictObject({ type: v.literal("edit"), turnId: id, text }),
    "select-version": v.strictObject({ type: v.literal("select-version"), turnId: id }),
    include: v.strictObject({ type: v.literal("include"), turnId: id, included: v.boolean() }),
    "open-limit": v.strictObject({ type: v.literal("open-limit") }),
    "new-chat": v.strictObject({ type: v.literal("new-chat") }),
    draft: v.strictObject({
      type: v.literal("draft"),
      chatId: id,
      turnId: v.exactOptional(id),
      text: v.pipe(v.string(), v.maxLength(maxDraftLength)),
    }),
    choose: v.strictObject({
      type: v.literal("choose"),
      what: v.picklist(choiceIds),
    }),
    "verify-pdf": v.strictObject({ type: v.literal("verify-pdf") }),
    context: v.strictObject({ type: v.literal("context"), request: contextRequestSchema }),
    prompt: v.strictObject({
      type: v.literal("prompt"),
      request: promptRequestSchema,
    }),
    copy: v.strictObject({ type: v.literal("copy"), text: answerText }),
    action: v.strictObject({
      type: v.literal("action"),
      action: v.picklist(diagnosisActionIds),
      turnId: v.exactOptional(id),
    }),
    "open-link": v.strictObject({
      type: v.literal("open-link"),
      href: v.pipe(v.string(), v.maxLength(8192)),
    }),
    "find-files": v.strictObject({
      type: v.literal("find-files"),
      names: v.pipe(v.array(fileName), v.maxLength(200)),
    }),
    "open-file": v.strictObject({ type: v.literal("open-file"), name: fileName }),
    "follow-code-colors": v.strictObject({ type: v.literal("follow-code-colors") }),
    "code-action": v.strictObject({
      type: v.literal("code-action"),
      action: v.picklist(["insert", "apply", "save", "run"]),
      block: v.strictObject({ text: answerText, info: sentence, language: sentence, above: sentence }),
    }),
    "apply-answer": v.strictObject({ type: v.literal("apply-answer"), turnId: id }),
  } satisfies {
    [Type in FromWebview["type"]]: v.GenericSchema<unknown, Extract<FromWebview, { type: Type }>>;
  }),
);

const pageMessageSchema = v.strictObject({ chatId: v.nullable(id), message: fromWebviewSchema });

/** Returns the page's message, or undefined if the message is invalid. */
export function readPageMessage(posted: unknown): PageMessage | undefined {
  const parsed = v.safeParse(pageMessageSchema, posted);
  return parsed.success ? parsed.output : undefined;
}

/** Whether the message needs special treatment if the page shows another chat when the message arrives. */
export function isAboutChat(message: FromWebview): boolean {
  return outdatedTreatmentOf(message) !== "done";
}

/** Returns how to treat the message if the page shows another chat when the message arrives. */
export function outdatedTreatmentOf(message: FromWebview): OutdatedTreatment {
  return message.type === "context"
    ? contextRequestTraits[message.request.type].whenOutdated
    : messageTraits[message.type].whenOutdated;
}

type RestoredType = {
  [Type in FromWebview["type"]]: (typeof messageTraits)[Type]["whenOutdated"] extends "restored"
    ? Type
    : never;
}[FromWebview["type"]];

/** Whether to restore the message's text if the page shows another chat when the message arrives. */
export function isRestored(message: FromWebview): message is Extract<FromWebview, { type: RestoredType }> {
  return messageTraits[message.type].whenOutdated === "restored";
}
