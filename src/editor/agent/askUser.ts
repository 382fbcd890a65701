import { wholeStart } from "../../text/cutText.ts";
import { defineTool, DeniedError, done } from "./agentTool.ts";

const maxOptions = 8;
/** Characters. */
const maxOptionLength = 200;

export const askUserTool = defineTool({
  name: "ask_user",
  description:
    "Asks the user a question and returns the answer. Use it only if you cannot find the answer yourself and cannot go on without it.",
  parameters: {
    question: { type: "string", description: "The question, in the user's language." },
    options: {
      type: "strings",
      description: "Short answers to choose from. The user may also type another one.",
      isOptional: true,
    },
  },
  run: async ({ question, options = [] }, { ask }) => {
    const offered = options.map((option) => wholeStart(option, maxOptionLength)).slice(0, maxOptions);
    const reply = await ask({ type: "question", question, options: offered });
    if (reply.type !== "answer") throw new DeniedError(reply.type === "deny" ? reply.why : "");
    return done(reply.text);
  },
});
