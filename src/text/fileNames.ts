/** Maximum number of characters in a file name, to keep paths short. */
const maxNameLength = 60;

/** Matches characters that some operating system forbids in file names, or that are invisible. */
const notInNames = /[/\\:*?"<>|\p{Cc}\p{Cf}]+/gu;

/** Names that Windows takes for devices, also with an ending. */
const deviceName = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?=[. ]|$)/iu;

/** Turns a title into a file name without extension; empty if no allowed character remains. */
export function fileNameOf(title: string): string {
  const words = title.replaceAll(notInNames, " ").replaceAll(/\s+/g, " ").trim();
  // Cut between graphemes, so that no visible character is split.
  const characters = Array.from(new Intl.Segmenter().segment(words), ({ segment }) => segment);
  const cut = characters.slice(0, maxNameLength).join("");
  // Windows forbids dots and spaces at the end. Other systems hide names that begin with a dot.
  const name = cut.replace(/^[. ]+/, "").replace(/[. ]+$/, "");
  return deviceName.test(name) ? `_${name}` : name;
}

/** Makes names unique: adds a number to a repeated name (`web`, `web (2)`). */
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

/** Whether a name or path is that of a Jupyter notebook. */
export function isNotebookName(name: string): boolean {
  return /\.ipynb$/i.test(name);
}
