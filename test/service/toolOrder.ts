import { Refusal } from "./errorAnswers.ts";
import type { AskMessage } from "./generation.ts";

/**
 * Checks that the results of all tool calls, and no other results, directly follow the calls. Both public APIs require
 * that. Throws a `Refusal` otherwise.
 */
export function checkToolOrder(messages: readonly AskMessage[]): void {
  let open: readonly string[] = [];
  for (const { role, calls = [], resultOf } of messages) {
    if (role === "tool") {
      const result = resultOf ?? "";
      if (!open.includes(result)) throw refusal(`The tool result \`${result}\` answers no call before it.`);
      open = open.filter((id) => id !== result);
      continue;
    }
    if (open.length > 0) throw refusal(`The calls ${open.join(", ")} have no results behind them.`);
    open = calls;
  }
  if (open.length > 0) throw refusal(`The calls ${open.join(", ")} have no results behind them.`);
}

function refusal(sentence: string): Refusal {
  return new Refusal("out-of-range", sentence, "messages");
}
