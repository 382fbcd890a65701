import createDOMPurify, { type Config } from "dompurify";
import type { Translate } from "../../text/translate.ts";
import { readFileReference } from "../../text/markdown/fileReference.ts";
import type { CodeBlocks } from "../code/codeBlocks.ts";
import type { DrawnFormulas } from "./drawnFormulas.ts";
import type { FileMentions } from "./fileMentions.ts";
import { actualTarget } from "./linkTarget.ts";
import { watchOverflow } from "../scrolling/scrollStops.ts";

/** A character of an address, in scripts with spaces between words. */
const goingOn = String.raw`[[\p{L}\p{M}\p{N}\p{DI}\-.:\/@_%?#=\&~+]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]]`;
/** Maximum number of UTF-16 units to check on each side of a link. */
const maxAddressLength = 2048;
const addressBefore = new RegExp(`(?<!${goingOn})${goingOn}*$`, "v");
const addressAfter = new RegExp(`^${goingOn}*`, "v");

/** Converts untrusted HTML of an answer to nodes that are safe to insert into the page. */
export type Sanitize = (html: string) => DocumentFragment;

const configuration: Config = {
  ALLOWED_TAGS: [
    ..."p br hr h1 h2 h3 h4 h5 h6 ul ol li blockquote pre code em strong b i u s del ins".split(" "),
    ..."sub sup kbd samp var mark small q cite abbr dl dt dd table thead tbody tfoot tr th td".split(" "),
    ..."caption a span div details summary input img".split(" "),
  ],
  ALLOWED_ATTR: "href alt start align type checked open dir lang data-info data-loose data-formula".split(
    " ",
  ),
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
};

/**
 * Passes nothing that can run, load, style or submit. `img` passes without its address, only for its description;
 * `input` passes only as a task checkbox.
 */
export function createSanitizer(
  translate: Translate,
  blocks: CodeBlocks,
  files: FileMentions,
  formulas: DrawnFormulas,
): Sanitize {
  const purify = createDOMPurify(window);
  purify.setConfig(configuration);
  return (html) => {
    const fragment = document.createDocumentFragment();
    fragment.append(purify.sanitize(html, { RETURN_DOM_FRAGMENT: true }));
    fragment.querySelectorAll("img").forEach((image) => image.replaceWith(image.alt));
    // Read all texts first: a target inserted after one link would become part of the text beside the next link.
    const links = [...fragment.querySelectorAll("a")].map((link) => ({ link, shown: shownWith(link) }));
    for (const { link, shown } of links) finishLink(link, shown, files);
    fragment.querySelectorAll("input").forEach((input) => finishTaskMark(input, translate));
    fragment.querySelectorAll("table").forEach((table) => wrapTable(table, translate));
    fragment.querySelectorAll<HTMLElement>("[data-formula]").forEach((element) => formulas.finish(element));
    setDirections(fragment);
    fragment.querySelectorAll("pre").forEach((block) => finishCode(block, blocks));
    files.mark(fragment);
    fragment.querySelectorAll("code").forEach((code) => {
      if (code.closest("pre") === null) blocks.showInvisible(code);
    });
    return fragment;
  };
}

/** Shows where a web or mail link leads. A link that may name a file becomes a file link; any other link, text. */
function finishLink(link: HTMLAnchorElement, shown: string, files: FileMentions): void {
  const address = parseLink(link.getAttribute("href") ?? "");
  const file = parseFileLink(link.getAttribute("href") ?? "");
  if (file !== undefined) {
    const name = document.createElement("span");
    name.append(...link.childNodes);
    link.replaceWith(name);
    files.linkIfFound(name, file);
    return;
  }
  if (address === undefined) {
    link.replaceWith(...link.childNodes);
    return;
  }
  link.href = address;
  link.title = address;
  const target = actualTarget(shown, address);
  if (target !== undefined) link.after(" (", createTarget(target), ")");
}

/** The text of a link and the text that touches it. A reader takes all of it for one address. */
function shownWith(link: HTMLAnchorElement): string {
  const walker = document.createTreeWalker(link.getRootNode(), NodeFilter.SHOW_ALL);
  const textBeside = (node: Node, step: "previousNode" | "nextNode", part: RegExp): string => {
    walker.currentNode = node;
    let text = "";
    for (let next = walker[step](); next !== null && next.nodeName !== "BR"; next = walker[step]()) {
      if (next.nodeType !== Node.TEXT_NODE) continue;
      const all = next.nodeValue ?? "";
      const [touching = ""] = part.exec(all) ?? [];
      text = step === "nextNode" ? text + touching : touching + text;
      if (touching !== all || text.length > maxAddressLength) break;
    }
    return text;
  };
  let last: Node = link;
  while (last.lastChild !== null) last = last.lastChild;
  return (
    textBeside(link, "previousNode", addressBefore) +
    link.textContent +
    textBeside(last, "nextNode", addressAfter)
  );
}

/** A host reads from left to right in any text direction. */
function createTarget(target: string): HTMLElement {
  const told = document.createElement("bdi");
  told.dir = "ltr";
  told.className = "link-target";
  told.append(target);
  return told;
}

/** The workspace file that the link names, such as `src/a.ts#L10`; undefined for other links. */
function parseFileLink(href: string): string | undefined {
  if (URL.canParse(href) && !/^[a-z]:[\\/]/i.test(href)) return undefined;
  try {
    const name = decodeURIComponent(href);
    return readFileReference(name) === undefined ? undefined : name;
  } catch {
    return undefined;
  }
}

/** The normalized absolute address if VS Code may open it (http, https, mailto); otherwise undefined. */
export function parseLink(href: string): string | undefined {
  const address = URL.parse(href);
  return address !== null && ["http:", "https:", "mailto:"].includes(address.protocol)
    ? address.href
    : undefined;
}

function finishTaskMark(input: HTMLInputElement, translate: Translate): void {
  if (input.type !== "checkbox") {
    input.remove();
    return;
  }
  input.disabled = true;
  input.setAttribute("aria-label", input.checked ? translate("Done") : translate("To do"));
}

/** A block takes the direction of its first letter, ignoring code. */
function setDirections(fragment: DocumentFragment): void {
  fragment.querySelectorAll<HTMLElement>("code, kbd, samp").forEach((code) => (code.dir = "ltr"));
  for (const block of fragment.children) {
    if (block instanceof HTMLElement && block.dir === "") block.dir = "auto";
  }
}

function wrapTable(table: HTMLTableElement, translate: Translate): void {
  const frame = document.createElement("div");
  frame.className = "table-frame";
  table.replaceWith(frame);
  frame.append(table);
  watchOverflow(frame, translate("Table"));
}

function finishCode(block: HTMLPreElement, blocks: CodeBlocks): void {
  const code = block.querySelector("code");
  const finished = blocks.create(code?.dataset["info"] ?? "");
  finished.append(block.textContent);
  finished.end();
  block.replaceWith(finished.element);
}
