/** UTF-16 code units of a command. */
const maxCommandLength = 8000;

/** Matches control characters except tab and line feed. A terminal would take them as key presses. */
const control = /(?![\n\t])\p{Cc}/u;
/** Matches half of a character. */
const loneSurrogate = /\p{Cs}/u;

/** Returns why a command cannot run, for the model. Undefined for a good command. */
export function findCommandFault(command: string): string | undefined {
  if (command.trim() === "") return "The command is empty. Nothing was run.";
  if (command.length > maxCommandLength) {
    return `The command has ${command.length} characters, the limit is ${maxCommandLength}. Nothing was run. Write a script to a file instead, and run the file.`;
  }
  if (control.test(command)) {
    return "The command holds a control character other than line feed and tab. Nothing was run. Write the character as an escape, such as $'\\x1b'.";
  }
  if (loneSurrogate.test(command)) return "The command is not valid Unicode. Nothing was run.";
  return undefined;
}

/** Shells whose commands can be written as one line. */
const knownShells = ["bash", "zsh", "fish"] as const;
export type KnownShell = (typeof knownShells)[number];

/** Returns the shell of a name such as "zsh", or of a path such as "/usr/bin/zsh" or "C:\\bin\\bash.exe". */
export function readShell(name: string): KnownShell | undefined {
  const base = name
    .split(/[/\\]/u)
    .at(-1)
    ?.toLowerCase()
    .replace(/\.exe$/u, "");
  return knownShells.find((shell) => shell === base);
}

/**
 * Writes a command as one line for the prompt of a shell. Typed as they are, a tab would complete a word.
 * An exclamation mark would recall history, and each line would be a command. A leading space keeps the line out of
 * the history of zsh and fish. Bash does not report a leading space, so VS Code would see another command.
 */
export function toCommandLine(command: string, shell: KnownShell): string {
  switch (shell) {
    case "bash":
      return `eval ${quoteForBash(command)}`;
    case "zsh":
      return ` eval $'${escapeBytes(command)}'`;
    case "fish":
      return ` eval ${quoteForFish(command)}`;
  }
}

/** Matches characters that can be typed to bash in single quotes. */
const typable = /^[\x20-\x7e]*$/u;

/**
 * Bash reports the line that it runs, with `$'...'` written differently. VS Code compares the report with the line that
 * it typed. So other characters come from `printf`, which keeps the exit code of the command before.
 */
function quoteForBash(text: string): string {
  if (typable.test(text) && !text.includes("!")) return `'${text.replaceAll("'", "'\\''")}'`;
  return `"$(s=$?; builtin printf %b '${escapeBytes(text)}'; exit $s)"`;
}

const escapes: Readonly<Record<string, string>> = {
  "\\": "\\\\",
  "'": "\\x27",
  "!": "\\x21",
  "\n": "\\n",
  "\t": "\\t",
};

/** Escapes as `$'...'` and `printf %b` read them. */
function escapeBytes(text: string): string {
  return mapBytes(
    text,
    (byte, character) => escapes[character] ?? (byte < 0x80 ? character : `\\x${hex(byte)}`),
  );
}

/** Fish reads escapes for bytes only outside quotes. */
function quoteForFish(text: string): string {
  return mapBytes(text, (byte, character) => {
    if (character === "\n") return "\\n";
    if (character === "\t") return "\\t";
    if (/[\w./:=-]/u.test(character)) return character;
    return byte < 0x80 ? `\\${character}` : `\\X${hex(byte)}`;
  });
}

/** Maps each byte of the text in UTF-8. The character is meaningful for ASCII only. */
function mapBytes(text: string, map: (byte: number, character: string) => string): string {
  return Array.from(new TextEncoder().encode(text), (byte) => map(byte, String.fromCharCode(byte))).join("");
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, "0");
}
