/** What code is made of where it is coloured, with the name of it in the editor's themes (TextMate scopes). */
const scopes = {
  comment: "comment",
  string: "string.quoted",
  number: "constant.numeric",
  constant: "constant.language",
  keyword: "storage.type",
  control: "keyword.control",
  function: "entity.name.function",
  type: "entity.name.type",
  variable: "variable.other.readwrite",
  property: "variable.other.property",
  tag: "entity.name.tag",
  attribute: "entity.other.attribute-name",
  meta: "meta.preprocessor",
  inserted: "markup.inserted",
  deleted: "markup.deleted",
} as const;

export type CodeKind = keyof typeof scopes;

/** `#rrggbb` or a shorter or longer form of it, by kind; what the theme leaves out is missing. */
export type CodeColors = Readonly<Partial<Record<CodeKind, string>>>;

/** Of a theme: which colour text with one of these names has. */
export interface ColorRule {
  readonly scopes: readonly string[];
  readonly color: string;
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The keys are those of the table above.
export const codeKinds = Object.keys(scopes) as readonly CodeKind[];

/** The colours by the editor's rules: the longest name that fits, and of equals the last. */
export function pickCodeColors(rules: readonly ColorRule[]): CodeColors {
  const colors: Partial<Record<CodeKind, string>> = {};
  for (const kind of codeKinds) {
    let best = 0;
    for (const rule of rules) {
      const fit = Math.max(0, ...rule.scopes.map((scope) => fitOf(scope, scopes[kind])));
      if (fit === 0 || fit < best || !isColor(rule.color)) continue;
      best = fit;
      colors[kind] = rule.color;
    }
  }
  return colors;
}

/** Without those that are hard to read on the ground, which is black or white: at least 4.5 : 1, as WCAG 2 has it. */
export function withClearContrast(colors: CodeColors, ground: "black" | "white"): CodeColors {
  const clear = Object.entries(colors).filter(([, color]) => {
    const light = luminanceOf(color);
    return ground === "black" ? light >= 0.175 : light <= 0.183;
  });
  return Object.fromEntries(clear);
}

function isColor(text: string): boolean {
  return /^#(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})$/i.test(text);
}

/** Length of the scope where it names the text or what the text is a kind of. */
function fitOf(scope: string, name: string): number {
  return name === scope || name.startsWith(`${scope}.`) ? scope.length : 0;
}

function luminanceOf(color: string): number {
  const digits = color.length < 7 ? color.replaceAll(/[\da-f]/gi, "$&$&") : color;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(digits.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
