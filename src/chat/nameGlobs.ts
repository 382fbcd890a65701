/** Characters that are looked for; whatever follows them is told apart afterwards. */
const longestText = 100;

/**
 * A glob of the editor's for the paths in which this text stands, in whatever case: the name of a file or of a
 * folder has it, or the end of one and the beginning of the next where it has a `/`. It may let others pass.
 */
export function containingGlob(text: string): string {
  const part = Array.from(text).slice(0, longestText).map(anyCase).join("");
  return `**/{*${part}*,*${part}*/**}`;
}

/** A glob for the files that have these characters in their name in this order. It may let others pass. */
export function scatteredGlob(text: string): string {
  const name = Array.from(text.slice(text.lastIndexOf("/") + 1)).slice(0, longestText);
  return `**/*${name.map((character) => `${anyCase(character)}*`).join("")}`;
}

/** Globs tell cases apart; what means something in them is any one character. */
function anyCase(character: string): string {
  const [lower, upper] = [character.toLowerCase(), character.toUpperCase()];
  if (lower !== upper) return lower.length === 1 && upper.length === 1 ? `[${lower}${upper}]` : "?";
  return /[*?{},[\]!\\]/.test(character) ? "?" : character;
}
