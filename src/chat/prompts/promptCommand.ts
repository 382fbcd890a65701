import { compactPrompt } from "../transcript/compaction.ts";

/** A `/name` at the start of a message, and the text after it. */
export interface PromptCommand {
  readonly name: string;
  readonly rest: string;
}

/** Returns undefined if the text does not start with a command. A path such as `/etc/hosts` is not a command. */
export function readPromptCommand(text: string): PromptCommand | undefined {
  const match = /^\/([\p{L}\p{N}_.:-]{1,60})(?:\s+([^]*))?$/u.exec(text);
  return match === null ? undefined : { name: match[1] ?? "", rest: (match[2] ?? "").trim() };
}

/** Whether the text asks for a summary of the chat, which is sent without attachments. */
export function isCompactCommand(text: string): boolean {
  return readPromptCommand(text)?.name === compactPrompt;
}

/** An `${input:name:placeholder}` in a prompt. */
export interface PromptInput {
  readonly name: string;
  /** A hint for the user; may be empty. */
  readonly placeholder: string;
}

const variable = /\$\{([^{}\n]{1,200})\}/g;

/** Returns the inputs of a prompt, without duplicates. */
export function promptInputs(body: string): readonly PromptInput[] {
  const inputs = new Map<string, PromptInput>();
  for (const [, inner = ""] of body.matchAll(variable)) {
    const name = inputName(inner);
    if (name === undefined || inputs.has(name)) continue;
    inputs.set(name, { name, placeholder: inner.split(":").slice(2).join(":").trim() });
  }
  return [...inputs.values()];
}

/** Returns the names of a prompt's other variables, such as `selection`. */
export function promptVariables(body: string): ReadonlySet<string> {
  const names = [...body.matchAll(variable)].map(([, inner = ""]) => inner);
  return new Set(names.filter((name) => inputName(name) === undefined));
}

/**
 * Fills in the variables of a prompt in one pass, so that inserted text is never expanded again. Variables without
 * a value stay unchanged.
 */
export function fillPrompt(
  body: string,
  inputs: ReadonlyMap<string, string>,
  variables: ReadonlyMap<string, string>,
): string {
  return body.replaceAll(variable, (written: string, inner: string) => {
    const name = inputName(inner);
    return (name === undefined ? variables.get(inner) : inputs.get(name)) ?? written;
  });
}

export interface PromptArguments {
  readonly values: ReadonlyMap<string, string>;
  /** The text that is not part of an argument. */
  readonly rest: string;
}

/**
 * Reads `name=value` and `name="several words"`. If a prompt has only one input, a text without its name is the whole
 * value.
 */
export function readPromptArguments(typed: string, inputs: readonly PromptInput[]): PromptArguments {
  const values = new Map<string, string>();
  const names = new Set(inputs.map(({ name }) => name));
  const rest = typed
    .replaceAll(
      /(?<=^|\s)([\p{L}\p{N}_-]{1,60})=(?:"([^"]*)"|'([^']*)'|(\S+))/gu,
      (written: string, name: string, double?: string, single?: string, bare?: string) => {
        if (!names.has(name)) return written;
        values.set(name, double ?? single ?? bare ?? "");
        return "";
      },
    )
    .trim();
  const [only] = inputs;
  if (only === undefined || inputs.length > 1 || values.size > 0 || rest === "") return { values, rest };
  return { values: new Map([[only.name, rest]]), rest: "" };
}

function inputName(inner: string): string | undefined {
  const [kind, name = ""] = inner.split(":");
  return kind === "input" && name.trim() !== "" ? name.trim() : undefined;
}

interface NamedPrompt {
  readonly kind: "prompt" | "problem";
  readonly name: string;
}

/**
 * Resolves duplicate names: the first usable prompt with a name keeps the name.
 * @param refuse returns the replacement for each further usable prompt with the name
 */
export function settleNames<Found extends NamedPrompt>(
  prompts: readonly Found[],
  refuse: (prompt: Found, first: Found) => Found,
): readonly Found[] {
  const owners = new Map<string, Found>();
  return prompts.map((prompt) => {
    // An unusable prompt does not reserve its name.
    if (prompt.kind === "problem") return prompt;
    const owner = owners.get(prompt.name);
    if (owner !== undefined) return refuse(prompt, owner);
    owners.set(prompt.name, prompt);
    return prompt;
  });
}

/** Returns the usable prompt with this name, or else the first problem with this name. */
export function findByName<Found extends NamedPrompt>(
  prompts: readonly Found[],
  name: string,
): Found | undefined {
  const named = prompts.filter((prompt) => prompt.name === name);
  return named.find(({ kind }) => kind === "prompt") ?? named[0];
}
