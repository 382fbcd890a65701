import { randomUUID } from "node:crypto";
import type { AnswerCall, Ask, AskTool } from "./generation.ts";
import { readPdfWords } from "./pdfWords.ts";
import { describeImage } from "./imageDescription.ts";

/** The tool calls of an answer. The message names the tools, or `toolChoice` requires them. */
export function callTools({ messages, tools, toolChoice }: Ask): readonly AnswerCall[] {
  const last = messages.at(-1);
  if (last?.role !== "user" || toolChoice === "none") return [];
  const named = tools.filter(({ name }) =>
    typeof toolChoice === "object" ? name === toolChoice.name : last.text.includes(name),
  );
  const chosen = named.length === 0 && toolChoice === "required" ? tools.slice(0, 1) : named;
  return chosen.map((tool) => makeCall(tool.name, JSON.stringify(fillIn(tool, last.text))));
}

export function makeCall(name: string, given: string): AnswerCall {
  return { id: `call_${randomUUID().replaceAll("-", "")}`, name, arguments: given };
}

/** Fills the schema's properties with the numbers and quoted words of the message, in order, by type. */
function fillIn({ properties }: AskTool, text: string): object {
  const numbers = [...text.matchAll(/-?\d+(?:\.\d+)?/gu)].map(([number]) => Number(number));
  const quoted = [...text.matchAll(/["“]([^"”]*)["”]/gu)].map(([, words]) => words ?? "");
  return Object.fromEntries(
    Object.entries(properties).map(([name, type]) => {
      if (type === "integer" || type === "number") return [name, numbers.shift() ?? 0];
      return [name, type === "boolean" ? true : (quoted.shift() ?? text)];
    }),
  );
}

const word = String.raw`["'“]?(\p{L}[\p{L}\d-]*)`;
const ordered = new RegExp(String.raw`\bwith the (?:single |one )?word ${word}`, "iu");
const named = new RegExp(String.raw`\bthe word is ${word}`, "iu");

/** A short answer that the conversation asks for; undefined if it asks for none. */
export function obey({ messages }: Ask): readonly string[] | undefined {
  const last = messages.at(-1);
  if (last === undefined) return undefined;
  if (last.role === "tool") {
    const results = messages.slice(messages.findLastIndex(({ role }) => role !== "tool") + 1);
    return results.map(({ text }) => `The tool answered: ${text.slice(0, 80)}\n`);
  }
  const order = messages.filter(({ role }) => role === "system").map(({ text }) => ordered.exec(text)?.[1]);
  const marker = order.find((found) => found !== undefined) ?? ordered.exec(last.text)?.[1];
  if (marker !== undefined) return [marker];
  if (last.images.length > 0) return last.images.map((image) => `${describeImage(image)}\n`);
  if (last.pdfs.length > 0) return last.pdfs.map(({ bytes }) => `It says ${readPdfWords(bytes)}.\n`);
  if (!/\bwhich word\b/iu.test(last.text)) return undefined;
  const memory = messages.map(({ text }) => named.exec(text)?.[1]).find((found) => found !== undefined);
  return memory === undefined ? undefined : [memory];
}
