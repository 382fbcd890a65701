/** Characters of a file's name, so that a path with it stays short. */
const maxNameLength = 60;

/** Not allowed in a name on some system, or not to be seen in it. */
const notInNames = /[/\\:*?"<>|\p{Cc}\p{Cf}]+/gu;

/** A title as the name of a file without its ending; empty where nothing of it is left. */
export function fileNameOf(title: string): string {
  const words = title.replaceAll(notInNames, " ").replaceAll(/\s+/g, " ").trim();
  // By characters as they are seen, none of which is halved.
  const characters = Array.from(new Intl.Segmenter().segment(words), ({ segment }) => segment);
  const cut = characters.slice(0, maxNameLength).join("");
  // Windows takes no name that ends so, and a name that begins so is hidden elsewhere.
  return cut.replace(/^[. ]+/, "").replace(/[. ]+$/, "");
}

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
