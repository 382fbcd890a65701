import type { CodeBlockText } from "./panelProtocol.ts";

const shells = new Set(
  "bash bat cmd console fish powershell ps1 pwsh sh shell shell-session shellscript terminal zsh".split(" "),
);

export function isShellLanguage(language: string): boolean {
  return shells.has(language.toLowerCase());
}

/** What is asked about has to be seen as a whole. */
const mostLines = 20;
const mostCharacters = 1500;
/** A control character is a key press to a terminal, and more than that to a program in it. */
const control = /(?!\n)\p{Cc}/u;
const prompt = /^\s*(?:\$|%|PS [^>]*>|>)\s+/;

export type ShellCommand =
  | { readonly kind: "command"; readonly text: string; readonly lines: number }
  | { readonly kind: "refused"; readonly why: "empty" | "too-long" | "control-characters" };

/** The command in a block; of a recorded session, what was typed behind its prompts. */
export function readShellCommand({ text, language }: Pick<CodeBlockText, "text" | "language">): ShellCommand {
  const lines = text.replaceAll("\t", "    ").trimEnd().split("\n");
  const typed = lines.filter((line) => prompt.test(line)).map((line) => line.replace(prompt, ""));
  const isSession = typed.length > 0 && /^(?:console|shell-session|terminal)$/i.test(language);
  const isPrompted = typed.length === lines.length;
  const taken = (isSession || isPrompted ? typed : lines).join("\n").trim();
  const count = taken.split("\n").length;
  if (taken === "") return { kind: "refused", why: "empty" };
  if (control.test(taken)) return { kind: "refused", why: "control-characters" };
  if (count > mostLines || taken.length > mostCharacters) return { kind: "refused", why: "too-long" };
  return { kind: "command", text: taken, lines: count };
}
