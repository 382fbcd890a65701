import { decodePercents } from "../../text/escapes.ts";
import { type FrontMatterProblem, readFrontMatter } from "../../text/frontMatter.ts";
import { wholeStart } from "../../text/cutText.ts";

export const promptFileEnding = ".prompt.md";

/** Maximum bytes of a prompt or an instructions file. Larger files are probably something else. */
export const maxPromptFileLength = 64 * 1024;

/** A prompt file in VS Code's format. */
export interface PromptFile {
  /** The command after the `/`. */
  readonly name: string;
  readonly description: string;
  readonly argumentHint: string;
  /** Front matter fields without effect here, such as `tools`. */
  readonly ignored: readonly string[];
  readonly body: string;
}

const heeded: ReadonlySet<string> = new Set(["name", "description", "argument-hint"]);
const maxNameLength = 60;
const maxWordsLength = 300;

export function readPromptFile(fileName: string, text: string): PromptFile | FrontMatterProblem {
  const head = readFrontMatter(text);
  if ("reason" in head) return head;
  const { texts, unreadFields, body } = head;
  const words = (field: string): string =>
    wholeStart((texts.get(field) ?? "").replaceAll(/\s+/g, " "), maxWordsLength);
  return {
    name: commandNameOf(words("name")) || promptNameOfFile(fileName),
    description: words("description"),
    argumentHint: words("argument-hint"),
    ignored: [...texts.keys(), ...unreadFields].filter((field) => !heeded.has(field)).slice(0, 20),
    body: body.trim(),
  };
}

/** Derives a prompt's name from its file name, for front matter without a name. */
export function promptNameOfFile(fileName: string): string {
  return commandNameOf(fileName.slice(0, -promptFileEnding.length)) || "prompt";
}

/** Converts a name to one word that can be typed after a `/`. */
function commandNameOf(name: string): string {
  const word = name
    .trim()
    .replaceAll(/[^\p{L}\p{N}_.:-]+/gu, "-")
    .replaceAll(/^-+|-+$/g, "");
  return wholeStart(word, maxNameLength);
}

const maxLinks = 30;

/** Returns the paths in a prompt's Markdown links, without duplicates. Ignores URLs, anchors and code blocks. */
export function promptLinks(body: string): readonly string[] {
  const paths = new Set<string>();
  let fence: string | undefined;
  for (const line of body.split("\n")) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]?.slice(0, 3);
    if (mark !== undefined && (fence === undefined || fence === mark))
      fence = fence === undefined ? mark : undefined;
    else if (fence === undefined) for (const path of linksOf(line)) paths.add(path);
    if (paths.size >= maxLinks) break;
  }
  return [...paths].slice(0, maxLinks);
}

function linksOf(line: string): readonly string[] {
  return [...line.matchAll(/\]\(\s*(?:<([^<>]{1,1000})>|([^()<>\s]{1,1000}))/g)].flatMap(
    ([, angled, plain]) => {
      const path = decodePercents(angled ?? plain ?? "").replace(/[?#].*$/, "");
      return path === "" || path.startsWith("//") || /^[a-z][a-z\d+.-]+:/i.test(path) ? [] : [path];
    },
  );
}
