import type { StopReason } from "../conversation/conversation.ts";

/** Words of both client styles and of the model runners behind them, in lower case. */
const reasons: ReadonlyMap<string, StopReason> = new Map<string, StopReason>([
  ["stop", "stop"],
  ["end_turn", "stop"],
  ["stop_sequence", "stop"],
  ["eos", "stop"],
  ["eos_token", "stop"],
  ["end_of_turn", "stop"],
  ["complete", "stop"],
  ["length", "length"],
  ["max_tokens", "length"],
  ["max_output_tokens", "length"],
  ["model_length", "length"],
  ["model_context_window_exceeded", "length"],
  ["tool_calls", "tool-calls"],
  ["tool_use", "tool-calls"],
  ["function_call", "tool-calls"],
  ["content_filter", "content-filter"],
  ["content_filtered", "content-filter"],
  ["refusal", "content-filter"],
  ["safety", "content-filter"],
  ["recitation", "content-filter"],
  ["prohibited_content", "content-filter"],
  ["blocklist", "content-filter"],
  ["sensitive", "content-filter"],
  ["guardrail_intervened", "content-filter"],
]);

/** Maps the server's word for why an answer ended. */
export function mapStopReason(wireReason: string): StopReason {
  return reasons.get(wireReason.toLowerCase()) ?? "other";
}
