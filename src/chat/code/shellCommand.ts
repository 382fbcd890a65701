import type { CodeBlockText } from "../../text/markdown/codeBlockInfo.ts";

const shells = new Set(
  "bash bat cmd console fish powershell ps1 pwsh sh shell shell-session shellscript terminal zsh".split(" "),
);

export function isShellLanguage(language: string): boolean {
  return shells.has(language.toLowerCase());
}

/** The confirmation must show the whole command. */
const maxLines = 20;
const maxCharacters = 1500;
/** Matches control characters except line breaks. A terminal treats them as key presses, such as Ctrl+C. */
const control = /(?!\n)\p{Cc}/u;
/** A shell's prompt. A `>` alone does not count: `> file` empties a file. */
const prompt = new RegExp(
  `^\\s*(?:\\([\\w.-]+\\)\\s+)?(?:${[
    String.raw`[$%❯»λ›]\s+`,
    String.raw`➜\s{2,}\S+\s+(?:git:\([^)]*\)\s+)?(?:✗\s+)?`,
    String.raw`➜\s+`,
    String.raw`PS(?:\s[^>|&<]*)?>\s*(?![>\s])`,
    String.raw`[A-Za-z]:\\(?:[^>|&<"]*[^>|&<"\s])?>\s*(?![>\s])`,
    String.raw`\[?[\w.-]+@[\w.-]+(?:[:\s][^\]$#%>|&]*)?\]?(?:\s?[$#%]|(?<!\s)>)\s+`,
    String.raw`[\w.-]+:[~/][^\s$]*\s+\w+[$%]\s+`,
    String.raw`[~/][\w./~-]*\s[$❯]\s+`,
    String.raw`(?:ba|z|da|k)?sh-[\d.]+[$#]\s+`,
  ].join("|")})(?=\\S)`,
  "u",
);
/**
 * Matches `>` at the start of a line of a recorded session. There it is a prompt: a redirection comes after a prompt
 * such as `$`.
 */
const angle = /^\s*>\s+(?=\S)/;
const continuation = /^\s*>{1,2}(?:\s|$)/;
const openEnd = /(?:\\|\||&&|\x60|\b(?:do|then|else)|[{(])\s*$/;
const heredoc = /<<-?\s*(["']?)([A-Za-z_]\w*)\1/;

export type ShellCommand =
  | { readonly kind: "command"; readonly text: string; readonly lines: number }
  | { readonly kind: "refused"; readonly why: "empty" | "too-long" | "control-characters" | "tabs" };

/** Reads the command in a block. If the block shows prompts, the command is the text after the prompts. */
export function readShellCommand({ text, language }: Pick<CodeBlockText, "text" | "language">): ShellCommand {
  const lines = text.trimEnd().split("\n");
  const first = lines.find((line) => line.trim() !== "" && !/^\s*#\s/.test(line)) ?? "";
  const isRecorded = /^(?:console|shell-session|terminal)$/i.test(language);
  const isPrompt = (line: string): boolean => prompt.test(line) || (isRecorded && angle.test(line));
  const typed = isRecorded || isPrompt(first) ? readTyped(lines, isPrompt) : [];
  const taken = (typed.length > 0 ? typed : lines).join("\n").trim();
  const count = taken.split("\n").length;
  if (taken === "") return { kind: "refused", why: "empty" };
  // A shell completes words on a tab, and replacing the tab with spaces would change the command.
  if (taken.includes("\t")) return { kind: "refused", why: "tabs" };
  if (control.test(taken)) return { kind: "refused", why: "control-characters" };
  if (count > maxLines || taken.length > maxCharacters) return { kind: "refused", why: "too-long" };
  return { kind: "command", text: taken, lines: count };
}

/** Returns the typed lines without prompts and output. */
function readTyped(lines: readonly string[], isPrompt: (line: string) => boolean): readonly string[] {
  const commands: string[] = [];
  let isOpen = false;
  for (const line of lines) {
    const command = commands.at(-1);
    if (isOpen && command !== undefined) {
      commands[commands.length - 1] = `${command}\n${line.replace(continuation, "")}`;
    } else if (isPrompt(line)) commands.push(line.replace(prompt.test(line) ? prompt : angle, ""));
    isOpen = !isComplete(commands.at(-1) ?? "");
  }
  return commands;
}

/** Returns false if the shell waits for more lines of the command. */
function isComplete(command: string): boolean {
  const end = heredoc.exec(command)?.[2];
  if (end !== undefined)
    return command
      .split("\n")
      .slice(1)
      .some((line) => line.trim() === end);
  const bare = command.replaceAll(/\\./g, "").replaceAll(/'[^']*'|"[^"]*"/g, "");
  return !/["']/.test(bare) && !openEnd.test(command);
}
