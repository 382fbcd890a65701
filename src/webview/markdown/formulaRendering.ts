import temml from "temml";

/** A formula as MathML, or why there is none. A missing reason means that it is too long or too complex. */
type RenderedFormula =
  | { readonly kind: "drawn"; readonly math: Element }
  | { readonly kind: "failed"; readonly reason?: string };

/** Commands that define others. A few of them could make a text grow without end. */
const definition =
  /\\(?:[gex]?def|(?:future)?let|global|long|(?:re|provide)?(?:new)?command|DeclareMathOperator|newenvironment)(?![a-zA-Z])/;
const maxExpansions = 500;
/** Environments that create as many columns as their argument says, and names of environments made by commands. */
const freeColumns = /\\begin\s*\{(?:\s*(?:alignat\*?|alignedat)\s*\}(?!\s*\{\s*\d{1,2}\s*\})|[^}]*\\)/;
/** Maximum size that a formula may ask for, in em and in points. */
const maxSize: [number, number] = [20, 200];
/** Maximum depth of groups in the source, and of elements. Layout takes long for deeper ones. */
const maxGroups = 40;
const maxDepth = 80;
const maxElements = 3000;
/** Maximum number of cells in the source. The renderer fills each row of a table up to the longest one. */
const maxCells = 3000;

const names = new Set(
  "math menclose mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none".split(
    " ",
  ),
);
const attributes = new Set(
  "xmlns display displaystyle scriptlevel accent accentunder columnalign depth fence form height largeop linethickness lspace mathbackground mathcolor mathsize mathvariant maxsize minsize movablelimits notation rowspacing rspace separator stretchy symmetric voffset width style class".split(
    " ",
  ),
);
const mathMl = "http://www.w3.org/1998/Math/MathML";

/** Converts TeX to MathML that can only show something. */
export function renderFormula(tex: string, display: boolean): RenderedFormula {
  if (definition.test(tex) || isTooLarge(tex)) return { kind: "failed" };
  const holder = document.createElement("div");
  try {
    temml.render(tex, holder, {
      displayMode: display,
      throwOnError: true,
      trust: false,
      maxExpand: maxExpansions,
      maxSize,
    });
  } catch (error) {
    // The renderer also throws if the nesting is too deep for its recursion.
    return error instanceof temml.ParseError && error instanceof Error
      ? { kind: "failed", reason: reasonOf(error.message) }
      : { kind: "failed" };
  }
  const [math] = holder.children;
  if (math === undefined || !clean(math)) return { kind: "failed" };
  return { kind: "drawn", math };
}

/** Returns the first line of a message, without the place in the source that follows it. */
function reasonOf(message: string): string {
  return message.split("\n", 1)[0]?.trim().slice(0, 200) ?? "";
}

/** Comments, commands, and single characters, as the renderer reads them. */
const tokens = /%[^\n]*\n?|\\verb\*([^]).*?\1|\\verb([^*a-zA-Z]).*?\2|\\[a-zA-Z@]+|\\?[^]/g;

/** Whether the source has too many groups in each other, or tables with too many cells. */
function isTooLarge(tex: string): boolean {
  const source = tex.replaceAll(tokens, (token) => (token.startsWith("%") ? "" : token));
  if (freeColumns.test(source)) return true;
  const outside = { rows: 1, columns: 1, mostColumns: 1 };
  const groups = [outside];
  let cells = 0;
  for (const [token] of source.matchAll(tokens)) {
    const group = groups.at(-1) ?? outside;
    cells -= group.rows * group.mostColumns;
    if (token === "&") {
      group.columns += 1;
      group.mostColumns = Math.max(group.mostColumns, group.columns);
    } else if (/^\\(?:\\|cr|newline)$/.test(token)) {
      group.rows += 1;
      group.columns = 1;
    }
    cells += group.rows * group.mostColumns;
    if (/^(?:\{|\\(?:begin|left|bgroup|begingroup))$/.test(token)) {
      groups.push({ rows: 1, columns: 1, mostColumns: 1 });
    } else if (/^(?:\}|\\(?:end|right|egroup|endgroup))$/.test(token) && groups.length > 1) groups.pop();
    if (cells > maxCells || groups.length > maxGroups) return true;
  }
  return false;
}

/** Removes what is not MathML or not known. Returns whether the rest is no deeper and no larger than layout can take. */
function clean(math: Element): boolean {
  // The renderer puts HTML only into labels and numbers of equations.
  for (const element of math.querySelectorAll("*")) {
    if (element.namespaceURI !== mathMl) element.replaceWith(element.textContent);
  }
  let count = 0;
  const visit = (element: Element, depth: number): boolean => {
    count += 1;
    if (count > maxElements || depth > maxDepth || element.namespaceURI !== mathMl) return false;
    for (const { name, value } of Array.from(element.attributes)) {
      const isKept =
        attributes.has(name) &&
        (name !== "style" || isPlainStyle(value)) &&
        (name === "class" || name === "xmlns" || !isTooLong(value));
      if (!isKept) element.removeAttribute(name);
    }
    return names.has(element.localName) && [...element.children].every((child) => visit(child, depth + 1));
  };
  return visit(math, 1);
}

const isPlainStyle = (style: string): boolean =>
  /^[\w\s.,:;#%()-]*$/.test(style) && !/url|var|fixed|sticky/i.test(style);

/** Points per unit of length. Other units are taken for an em, which is as wide as 10 points. */
const points: Readonly<Record<string, number>> = {
  "%": 1,
  cm: 28.4,
  ex: 5,
  in: 72,
  mm: 2.84,
  mu: 0.6,
  pc: 12,
  pt: 1,
  px: 0.75,
  q: 0.71,
};

/** Whether a value has a length beyond `maxSize`, also a negative one. The renderer only limits some of them. */
function isTooLong(value: string): boolean {
  const lengths = value.replaceAll(/#[\da-f]+/gi, "").matchAll(/(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*([a-z%]+)/gi);
  return [...lengths].some(([, digits = "", exponent = "", unit = ""]) => {
    const length = Number(digits + exponent) * (points[unit.toLowerCase()] ?? 10);
    return length > maxSize[1];
  });
}
