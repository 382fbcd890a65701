import { parseSync, Visitor, type VisitorObject } from "oxc-parser";

/** A comment, a title of a test or the message of an error, as it stands in a file. */
export interface WrittenText {
  readonly kind: "comment" | "title" | "error";
  readonly text: string;
  /** The first line, counted from 1. */
  readonly line: number;
}

/** A pattern that the guide for plain English in CONTRIBUTING.md names. */
interface Pattern {
  readonly name: string;
  readonly kinds?: readonly WrittenText["kind"][];
  readonly expression: RegExp;
}

const mostWordsInSentence = 20;

const patterns: readonly Pattern[] = [
  {
    name: "a relative clause as the subject",
    expression:
      /(?:^|[.:;!?] )(?:Nothing |All |Each )?(?:what|whatever|who|whoever|whom|whose|which|wherever|that which)\b(?![^.]*\?)/iu,
  },
  {
    name: '"where" for "if"',
    expression: /(?:^|[.:;!?] )Where\b|\bwhere (?:there|none|no|nothing|not|they|it has|it can|one has)\b/u,
  },
  {
    name: "a pronoun without its noun",
    kinds: ["comment"],
    expression: /^(?:It|Its|They|Their|Them|He|His|She|Those|Such|Neither|Both|None)\b/u,
  },
  {
    name: "a word that few would say",
    expression:
      /\b(?:shall|hence|anew|amid|thereby|therein|thereof|whereby|whereof|hitherto|henceforth|of before|in vain|meanwhile|behold|seldom|whilst|thus|lest|nor|beforehand|once more|never yet|not yet known|heeded?|bereft)\b/iu,
  },
  {
    name: 'a chain of "of which" or "but for"',
    expression:
      /\b(?:of which|of what|of whom|of whose|but for|for which|at which|by which|than which|in what|to what)\b/iu,
  },
  {
    name: "a pair of negations",
    expression:
      /\b(?:nothing|none|no one|nobody)\b[^.,;]*\b(?:not|never|no|nothing|without)\b|\bnot without\b|\bnever not\b/iu,
  },
  {
    name: "British spelling",
    expression:
      /\b(?:cancelled|cancelling|colours?|behaviours?|favou?rites|recognis\w+|normalis\w+|initialis\w+|serialis\w+|organis\w+|centre|licence|catalogue|grey|labelled|travell\w+)\b/iu,
  },
  {
    name: "another word for a term",
    expression: /\b(?:engagements?|base address(?:es)?|API styles?|secret store|blanks?|whoever runs)\b/iu,
  },
];

/** The patterns that a text matches, by name. A sentence may have 20 words. */
export function findPatterns({ kind, text }: Pick<WrittenText, "kind" | "text">): readonly string[] {
  const prose = text.replaceAll(/`[^`]*`|https?:\/\/\S+|\{@link [^}]*\}/gu, "code");
  const found = patterns.filter(
    ({ kinds, expression }) => (kinds === undefined || kinds.includes(kind)) && expression.test(prose),
  );
  const longest = Math.max(
    ...prose.split(/(?<=[.:!?])\s+|\n\s*\n|\n(?=- |\s*@)/u).map((sentence) => countWords(sentence)),
  );
  return [
    ...found.map(({ name }) => name),
    ...(longest > mostWordsInSentence ? ["a sentence of more than 20 words"] : []),
  ];
}

function countWords(sentence: string): number {
  return sentence.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

/** The texts of a file in TypeScript or JavaScript. Lines of `//` that follow each other are one comment. */
export function readWrittenTexts(fileName: string, source: string): readonly WrittenText[] {
  const { program, comments } = parseSync(fileName, source);
  const lineStarts = [0, ...[...source.matchAll(/\n/gu)].map(({ index }) => index + 1)];
  const lineAt = (offset: number): number => lineStarts.findLastIndex((start) => start <= offset) + 1;
  const texts: WrittenText[] = [];
  let previousEnd = -1;
  for (const comment of comments) {
    const last = texts.at(-1);
    const between = source.slice(previousEnd, comment.start);
    previousEnd = comment.end;
    const text = comment.value.replaceAll(/^[*!]|^\s*\* ?/gmu, "").trim();
    const startsLine = source.slice(0, comment.start).split("\n").at(-1)?.trim() === "";
    if (comment.type === "Line" && startsLine && last !== undefined && /^\r?\n[ \t]*$/u.test(between)) {
      texts[texts.length - 1] = { ...last, text: `${last.text} ${text}` };
    } else {
      texts.push({ kind: "comment", text, line: lineAt(comment.start) });
    }
  }
  const prose = texts.filter(({ text }) => !isDirective(text));
  const add = (kind: WrittenText["kind"], argument: Argument | undefined): void => {
    const text = argument === undefined ? undefined : textOf(argument);
    if (argument !== undefined && text !== undefined)
      prose.push({ kind, text, line: lineAt(argument.start) });
  };
  new Visitor({
    CallExpression({ callee, arguments: [title] }) {
      if (callee.type === "Identifier" && testFunctions.has(callee.name)) add("title", title);
    },
    NewExpression({ callee, arguments: [message] }) {
      if (callee.type === "Identifier" && callee.name.endsWith("Error")) add("error", message);
    },
  }).visit(program);
  return prose;
}

const testFunctions = new Set(["describe", "it"]);

type Argument = Parameters<NonNullable<VisitorObject["CallExpression"]>>[0]["arguments"][number];

/** Returns the text of a literal or a template, with the word `value` for each value. Otherwise returns undefined. */
function textOf(argument: Argument): string | undefined {
  if (argument.type === "TemplateLiteral") {
    return argument.quasis.map(({ value }) => value.cooked ?? value.raw).join("value");
  }
  return argument.type === "Literal" && typeof argument.value === "string" ? argument.value : undefined;
}

/** Whether a comment is an instruction to a tool. */
function isDirective(text: string): boolean {
  return /^(?:oxlint-|eslint-|@ts-|@jsx|@type|@satisfies|#|\/ <reference|<reference|v8 ignore|sourceMappingURL)/u.test(
    text,
  );
}
