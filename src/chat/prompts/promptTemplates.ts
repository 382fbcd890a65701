import { compactPrompt } from "../transcript/compaction.ts";

/** Names of the built-in prompts, typed after a `/`. */
export const promptNames = ["explain", "fix", "tests", "docs", "review", "commit", compactPrompt] as const;

export type PromptName = (typeof promptNames)[number];

/** A prompt's subject, which is attached if the user attached nothing. */
export type PromptSubject =
  /** The selection in the active editor, or else its file. */
  | "code"
  /** The selection or file, with the problems that VS Code reports in it. */
  | "code-with-problems"
  /** The staged changes, or else the unstaged changes. */
  | "changes"
  /** The chat itself. */
  | "chat";

interface PromptTemplate {
  readonly subject: PromptSubject;
  /** Sent before the user's text. English, because models follow it best and still answer in the user's language. */
  readonly text: string;
}

const commitRules = [
  "Write a git commit message for the attached changes.",
  "First line: what the commit does, in the imperative, at most 72 characters, without a full stop.",
  "Where the change is not obvious, a blank line and a short body that says why, wrapped at 72 characters.",
  "Only say what the changes show.",
].join(" ");

const docsRules =
  "Say what a caller has to know: purpose, arguments, result, errors, units, effects. Leave out what the signature says already.";

const templates: Readonly<Record<PromptName, PromptTemplate>> = {
  explain: {
    subject: "code",
    text: [
      "Explain the attached code to a programmer who sees it for the first time.",
      "Begin with its purpose in one or two sentences, then how it works, step by step where that helps.",
      "Name what is surprising, fragile or easily misunderstood. Do not retell it line by line.",
    ].join(" "),
  },
  fix: {
    subject: "code-with-problems",
    text: [
      "Fix the attached code.",
      "Where problems are attached, fix those; otherwise look for what is wrong.",
      "Say in a sentence or two what was wrong and why the change mends it.",
      "Give the corrected code as a whole in one code block that begins with its file's path where it is known.",
      "Change nothing else. If nothing is wrong, say so and change nothing.",
    ].join(" "),
  },
  tests: {
    subject: "code",
    text: [
      "Write tests for the attached code.",
      "Use the language, the test framework and the conventions that it shows; where it shows none, choose the usual one and say which.",
      "Test behaviour, not implementation: the ordinary case, the limits, and bad input.",
      "Give whole tests that run, in one code block, with a name for each that says what is expected.",
    ].join(" "),
  },
  docs: {
    subject: "code",
    text: [
      "Write documentation comments for the attached code, in the form its language uses.",
      docsRules,
      "Give the code as a whole with the comments in one code block; change nothing but comments.",
    ].join(" "),
  },
  review: {
    subject: "code",
    text: [
      "Review the attached code as a careful colleague would.",
      "List what should change, the most serious first: wrong behaviour, unhandled errors, security, races, performance, then clarity.",
      "For each, name the line, say what goes wrong and when, and suggest the change.",
      "Leave matters of taste out. If it is sound, say so in a sentence.",
    ].join(" "),
  },
  commit: { subject: "changes", text: `${commitRules} Give the message alone in one code block.` },
  compact: {
    subject: "chat",
    text: [
      "Summarize this conversation for whoever goes on with it and sees nothing else of it.",
      "Say what the user wants, word for word where it matters, and how they want it done.",
      "Say what was found, with the names of files, functions and lines; what was decided, and why; what was done; what failed; what is left to do.",
      "Leave out greetings, detours and code that stands in files. Write short lists in the user's language. Give the summary alone.",
    ].join(" "),
  },
};

const editTexts = {
  fix: [
    "Fix the part.",
    "Where problems are listed below, fix those; otherwise look for what is wrong.",
    "Change nothing else. If nothing is wrong, give the part as it is.",
  ].join(" "),
  docs: [
    "Write documentation comments for the part, in the form its language uses.",
    docsRules,
    "Change nothing but comments.",
  ].join(" "),
} as const;

export function isPromptName(name: string): name is PromptName {
  return promptNames.some((each) => each === name);
}

export function promptSubject(name: PromptName): PromptSubject {
  return templates[name].subject;
}

/** Returns a prompt with the user's text. The code or diff is sent as an attachment. */
export function promptText(name: PromptName, addition = ""): string {
  return withAddition(templates[name].text, addition);
}

/**
 * Like the prompts `fix` and `docs`, but asks for the new text of a part of a file only. The answer is inserted into
 * the file unchanged.
 */
export function editText(name: "fix" | "docs", addition = ""): string {
  return withAddition(editTexts[name], addition);
}

/** Like the prompt `commit`, but asks for the message only. The answer is inserted into the commit box. */
export function commitMessageText(addition = ""): string {
  const text = `${commitRules} Answer with the message alone: no code block, no quotes, no remark.`;
  return withAddition(text, addition);
}

/** Adds the user's text as a paragraph after the prompt. */
export function withAddition(text: string, addition: string): string {
  return addition.trim() === "" ? text : `${text}\n\n${addition.trim()}`;
}
