import type { ClientStyle } from "../../../src/protocol/conversation/wireStyle.ts";

/**
 * Offsets in bytes where a fault may cut or change a body. The members describe a stream; in JSON, most offsets are
 * arbitrary.
 */
interface Marks {
  /** After the first text, between two events. */
  readonly firstText: number;
  /** In the middle of the next event. */
  readonly midEvent: number;
  /** Between the two bytes of the next event's "ö". */
  readonly midCharacter: number;
  /** After the event with the finish reason. */
  readonly finish: number;
  /** Before the last event. */
  readonly beforeEnd: number;
}

/** A correct answer, to send whole or to corrupt. */
export interface GoodBody {
  readonly contentType: string;
  readonly bytes: Buffer;
  readonly marks: Marks;
}

export const firstText = "Hällo ";
const secondText = "wörld";
export const fullText = firstText + secondText;

const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };

/** One event with text, in the given style. */
export function textEvent(style: ClientStyle, text: string): string {
  return style === "chat-completions"
    ? event({ choices: [{ index: 0, delta: { content: text } }] })
    : event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } });
}

/** The events before the first text and after the last. */
export function frameOf(style: ClientStyle): {
  readonly opening: string;
  readonly closing: readonly string[];
} {
  if (style === "chat-completions") {
    return {
      opening: "",
      closing: [
        event({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }),
        event({ choices: [], usage }),
        "data: [DONE]\n\n",
      ],
    };
  }
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    content: [],
    usage: { input_tokens: 3 },
  };
  return {
    opening:
      event({ type: "message_start", message }) +
      event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    closing: [
      event({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } }),
      event({ type: "content_block_stop", index: 0 }),
      event({ type: "message_stop" }),
    ],
  };
}

export function streamedBody(style: ClientStyle): GoodBody {
  const { opening, closing } = frameOf(style);
  const [finish = "", ...rest] = closing;
  const pieces = [opening + textEvent(style, firstText), textEvent(style, secondText), finish, ...rest];
  const ends: number[] = [];
  for (const piece of pieces) ends.push((ends.at(-1) ?? 0) + Buffer.byteLength(piece));
  const bytes = Buffer.from(pieces.join(""));
  const [afterFirst = 0, , afterFinish = 0] = ends;
  const midCharacter = bytes.indexOf("ö") + 1;
  return {
    contentType: "text/event-stream",
    bytes,
    marks: {
      firstText: afterFirst,
      midEvent: afterFirst + 20,
      midCharacter,
      finish: afterFinish,
      beforeEnd: ends.at(-2) ?? 0,
    },
  };
}

export function wholeBody(style: ClientStyle): GoodBody {
  return jsonBody(
    style === "chat-completions"
      ? {
          choices: [{ index: 0, message: { role: "assistant", content: fullText }, finish_reason: "stop" }],
          usage,
        }
      : {
          type: "message",
          role: "assistant",
          content: [{ type: "text", text: fullText }],
          stop_reason: "end_turn",
          usage: { input_tokens: 3, output_tokens: 2 },
        },
  );
}

export const listBody: GoodBody = jsonBody({
  object: "list",
  data: [{ id: "service-core", display_name: fullText, max_model_len: 8192 }, { id: "service-other" }],
});

function jsonBody(value: object): GoodBody {
  const bytes = Buffer.from(JSON.stringify(value));
  const half = Math.floor(bytes.length / 2);
  return {
    contentType: "application/json",
    bytes,
    marks: {
      firstText: 12,
      midEvent: half,
      midCharacter: bytes.indexOf("ö") + 1,
      finish: bytes.length - 1,
      beforeEnd: bytes.length - 1,
    },
  };
}

function event(data: { readonly type?: string; readonly [member: string]: unknown }): string {
  const name = data.type === undefined ? "" : `event: ${data.type}\n`;
  return `${name}data: ${JSON.stringify(data)}\n\n`;
}
