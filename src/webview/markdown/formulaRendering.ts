import temml from "temml";

/** A formula as MathML, or why there is none. A missing reason means that it is too long or too complex. */
type RenderedFormula =
  | { readonly kind: "drawn"; readonly math: Element }
  | { readonly kind: "failed"; readonly reason?: string };

/** Commands that define others. A few of them could make a text grow without end. */
const definition =
  /\\(?:[gex]?def|(?:future)?let|global|long|(?:re|provide)?(?:new)?command|DeclareMathOperator|newenvironment)(?![a-zA-Z])/;
const maxExpansions = 500;
/** Maximum size that a formula may ask for, in em and in points. */
const maxSize: [number, number] = [20, 200];
/** Maximum depth of groups in the source, and of elements. Layout takes long for deeper ones. */
const maxGroups = 40;
const maxDepth = 80;
const maxElements = 3000;

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
  if (definition.test(tex) || depthOf(tex) > maxGroups) return { kind: "failed" };
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

function depthOf(tex: string): number {
  let [depth, deepest] = [0, 0];
  for (const [mark] of tex.matchAll(/(?<!\\)[{}]|\\(?:left|right|begin|end)(?![a-zA-Z])/g)) {
    depth = mark === "}" || mark === "\\right" || mark === "\\end" ? depth - 1 : depth + 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
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
      if (!attributes.has(name) || (name === "style" && !isPlainStyle(value))) element.removeAttribute(name);
    }
    return names.has(element.localName) && [...element.children].every((child) => visit(child, depth + 1));
  };
  return visit(math, 1);
}

const isPlainStyle = (style: string): boolean =>
  /^[\w\s.,:;#%()-]*$/.test(style) && !/url|var|fixed|sticky/i.test(style);
