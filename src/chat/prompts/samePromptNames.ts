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
