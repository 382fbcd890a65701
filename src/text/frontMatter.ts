/**
 * The front matter of a prompt or instructions file. Only strings at the top level are read, because these files need
 * no more. A full YAML parser would be large. It would also process anchors and tags of hostile files.
 */
export interface FrontMatter {
  /** The strings at the top level. `unreadFields` names the fields with lists, maps or other values. */
  readonly texts: ReadonlyMap<string, string>;
  readonly unreadFields: readonly string[];
  readonly body: string;
}

export interface FrontMatterProblem {
  /** The line of the file that cannot be read, counted from 1. */
  readonly line: number;
  readonly reason: "unclosed" | "too-long" | "not-a-field" | "open-quote";
}

const maxLines = 200;

export function readFrontMatter(text: string): FrontMatter | FrontMatterProblem {
  const plain = text.replace(/^\uFEFF/, "");
  if (!/^---[ \t]*(?:\r?\n|$)/.test(plain)) return { texts: new Map(), unreadFields: [], body: plain };
  const lines = plain.split(/\r?\n/, maxLines + 2);
  const end = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)[ \t]*$/.test(line));
  if (end < 0) return { line: 1, reason: lines.length > maxLines ? "too-long" : "unclosed" };
  const body = plain
    .split(/\r?\n/)
    .slice(end + 1)
    .join("\n");
  return readFields(lines.slice(1, end), body);
}

function readFields(lines: readonly string[], body: string): FrontMatter | FrontMatterProblem {
  const texts = new Map<string, string>();
  const unreadFields: string[] = [];
  for (const [index, line] of lines.entries()) {
    // Skip comments, empty lines, and lines that belong to the field above: indented lines and list items.
    if (/^(?:\s|#|- |-$|$)/.test(line)) continue;
    const field = /^([A-Za-z][\w-]{0,60})[ \t]*:(?:[ \t](.*))?$/.exec(line);
    if (field === null) return { line: index + 2, reason: "not-a-field" };
    const [, name = "", value = ""] = field;
    const written = [value, ...continuation(lines, index)].join(" ").trim();
    const read = readScalar(written);
    if (read === "open-quote") return { line: index + 2, reason: "open-quote" };
    if (read === undefined) unreadFields.push(name);
    else texts.set(name, read.text);
  }
  return { texts, unreadFields, body };
}

/** Returns the indented lines that continue the text of a field. */
function continuation(lines: readonly string[], index: number): readonly string[] {
  const following = lines.slice(index + 1);
  const end = following.findIndex((line) => !/^\s+\S/.test(line));
  return (end < 0 ? following : following.slice(0, end)).map((line) => line.trim());
}

/** Returns undefined for an empty value, a list, a map, an anchor, an alias or a tag. */
function readScalar(written: string): { readonly text: string } | "open-quote" | undefined {
  if (written.startsWith("'")) {
    const quoted = /^'((?:[^']|'')*)'(?:\s+#.*)?$/.exec(written)?.[1];
    return quoted === undefined ? "open-quote" : { text: quoted.replaceAll("''", "'") };
  }
  if (written.startsWith('"')) {
    const quoted = /^("(?:[^"\\]|\\.)*")(?:\s+#.*)?$/.exec(written)?.[1];
    return quoted === undefined ? "open-quote" : { text: unescape(quoted) };
  }
  if (written === "" || /^[[{&*!]/.test(written) || written.startsWith("- ")) return undefined;
  return {
    text: written
      .replace(/^[|>][+-]?\d?\s*/, "")
      .replace(/(?:^|\s)#[^]*/, "")
      .trim(),
  };
}

function unescape(quoted: string): string {
  try {
    const value: unknown = JSON.parse(quoted);
    return String(value);
  } catch {
    return quoted.slice(1, -1);
  }
}
