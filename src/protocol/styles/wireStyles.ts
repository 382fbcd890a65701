import { chatCompletions } from "./chatCompletions.ts";
import { messages } from "./messages.ts";
import type { ClientStyle, WireStyle } from "../conversation/wireStyle.ts";

/** The client styles by name. */
export const wireStyles: Readonly<Record<ClientStyle, WireStyle>> = {
  "chat-completions": chatCompletions,
  messages,
};
