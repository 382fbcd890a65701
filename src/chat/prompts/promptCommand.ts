/** A `/name` at the beginning of a message, with what is behind it. */
export interface PromptCommand {
  readonly name: string;
  readonly rest: string;
}

/** Undefined where the text begins with none; a path such as `/etc/hosts` is none. */
export function readPromptCommand(text: string): PromptCommand | undefined {
  const match = /^\/([\p{L}\p{N}_.:-]{1,60})(?:\s+([^]*))?$/u.exec(text);
  return match === null ? undefined : { name: match[1] ?? "", rest: (match[2] ?? "").trim() };
}

/** An `${input:name:placeholder}` of a prompt. */
export interface PromptInput {
  readonly name: string;
  /** Says what is asked for; empty where the prompt does not. */
  readonly placeholder: string;
}

const variable = /\$\{([^{}\n]{1,200})\}/g;

/** The inputs that a prompt asks for, each once. */
export function promptInputs(body: string): readonly PromptInput[] {
  const inputs = new Map<string, PromptInput>();
  for (const [, inner = ""] of body.matchAll(variable)) {
    const name = inputName(inner);
    if (name === undefined || inputs.has(name)) continue;
    inputs.set(name, { name, placeholder: inner.split(":").slice(2).join(":").trim() });
  }
  return [...inputs.values()];
}

/** The names of a prompt's other variables, such as `selection`. */
export function promptVariables(body: string): ReadonlySet<string> {
  const names = [...body.matchAll(variable)].map(([, inner = ""]) => inner);
  return new Set(names.filter((name) => inputName(name) === undefined));
}

/**
 * The prompt with its variables filled in, in one pass: what is filled in is not looked through again. A
 * variable without a value stays as it is.
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
  /** What is no argument. */
  readonly rest: string;
}

/** Reads `name=value` and `name="several words"`. A prompt with one input takes all that is typed for it. */
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
 * Of prompts with one name the first has it.
 * @param refuse makes of each further one what is said in its place
 */
export function settleNames<Found extends NamedPrompt>(
  prompts: readonly Found[],
  refuse: (prompt: Found, first: Found) => Found,
): readonly Found[] {
  const owners = new Map<string, Found>();
  return prompts.map((prompt) => {
    // What cannot be used keeps the name from nobody.
    if (prompt.kind === "problem") return prompt;
    const owner = owners.get(prompt.name);
    if (owner !== undefined) return refuse(prompt, owner);
    owners.set(prompt.name, prompt);
    return prompt;
  });
}

/** The one that can be used, else what is said of the first of this name. */
export function findByName<Found extends NamedPrompt>(
  prompts: readonly Found[],
  name: string,
): Found | undefined {
  const named = prompts.filter((prompt) => prompt.name === name);
  return named.find(({ kind }) => kind === "prompt") ?? named[0];
}
