/** The prompts that come with the extension; what is typed behind a `/`. */
export const promptNames = ["explain", "fix", "tests", "docs", "review", "commit"] as const;

export type PromptName = (typeof promptNames)[number];

/** What a prompt is about, and so takes along where nothing was attached. */
export type PromptSubject =
  /** What is selected in the active editor, else its file. */
  | "code"
  /** The same, with the problems that the editor reports there. */
  | "code-with-problems"
  /** The staged changes, else the unstaged ones. */
  | "changes";

interface PromptTemplate {
  readonly subject: PromptSubject;
  /** Sent ahead of what the user adds. English: models follow it best, and answer in the user's language. */
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

/** The text of a prompt with what the user adds to it; the code or diff it is about goes along as an attachment. */
export function promptText(name: PromptName, addition = ""): string {
  return withAddition(templates[name].text, addition);
}

/**
 * Like `fix` and `docs`, for an answer that is the new text of a file's part and nothing else: what has come
 * of it is put into the file as it stands.
 */
export function editText(name: "fix" | "docs", addition = ""): string {
  return withAddition(editTexts[name], addition);
}

/** Like `commit`, for an answer that is the message and nothing else, to be put into the commit's box. */
export function commitMessageText(addition = ""): string {
  const text = `${commitRules} Answer with the message alone: no code block, no quotes, no remark.`;
  return withAddition(text, addition);
}

/** What a person adds stands behind the prompt, on its own. */
export function withAddition(text: string, addition: string): string {
  return addition.trim() === "" ? text : `${text}\n\n${addition.trim()}`;
}
