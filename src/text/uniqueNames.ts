/** The names, with a number behind those that were there before: `web`, `web (2)`. None comes twice. */
export function uniqueNames(names: readonly string[]): readonly string[] {
  const given = new Set(names);
  const taken = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let number = 2; taken.has(unique) || (unique !== name && given.has(unique)); number += 1) {
      unique = `${name} (${number})`;
    }
    taken.add(unique);
    return unique;
  });
}
