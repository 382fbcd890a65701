import { Parser } from "htmlparser2";
import { decodeBytes } from "./decodeBytes.ts";
import { collapseSpace, maxWebsiteText, WebsiteWriter } from "./websiteWriter.ts";

/** A page or file as a website sent it. */
export interface WebsiteAnswer {
  /** The address after redirects. Links are relative to it. */
  readonly url: string;
  /** The header `content-type`; empty if there is none. */
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

export type WebsiteReading =
  | WebsiteText
  /** Not a text. `mediaType` is the website's own word, or empty if it has none. */
  | { readonly kind: "unreadable"; readonly mediaType: string };

/** A page as plain text, with the marks of Markdown for headings, lists, tables, code and links. */
export interface WebsiteText {
  readonly kind: "text";
  /** Empty if the page has none. */
  readonly title: string;
  readonly text: string;
  /** Whether the page goes on after the text. */
  readonly isCut: boolean;
}

/** Reads the text of a page or file. Invisible characters stay, so that they can be shown. */
export function readWebsiteText({ url, contentType, bytes }: WebsiteAnswer): WebsiteReading {
  const named = readMediaType(contentType);
  const kind = kindOf(named.type, bytes);
  if (kind === undefined) return { kind: "unreadable", mediaType: named.type };
  const charset = named.charset ?? (kind === "html" ? charsetInHead(bytes) : undefined);
  const text = decodeText(bytes, charset);
  if (text === undefined) return { kind: "unreadable", mediaType: named.type };
  if (kind === "html") return readHtml(text, url);
  return {
    kind: "text",
    title: "",
    text: text.slice(0, maxWebsiteText),
    isCut: text.length > maxWebsiteText,
  };
}

interface MediaType {
  /** In lower case, without parameters. */
  readonly type: string;
  readonly charset?: string;
}

function readMediaType(contentType: string): MediaType {
  const [type = "", ...parameters] = contentType.split(";");
  const charset = parameters
    .map((each) => /^\s*charset\s*=\s*["']?([\w.:-]+)/i.exec(each)?.[1])
    .find((each) => each !== undefined);
  return { type: type.trim().toLowerCase().slice(0, 100), ...(charset === undefined ? {} : { charset }) };
}

const textTypes =
  /^(?:text\/[\w.+-]+|application\/(?:[\w.-]+\+)?(?:json|xml|yaml)|application\/(?:javascript|x-ndjson|toml))$/;

function kindOf(type: string, bytes: Uint8Array): "html" | "plain" | undefined {
  if (type === "text/html" || type === "application/xhtml+xml") return "html";
  if (type !== "") return textTypes.test(type) ? "plain" : undefined;
  return /^\s*<(?:!doctype html|html)/i.test(latinStart(bytes)) ? "html" : "plain";
}

function latinStart(bytes: Uint8Array): string {
  return new TextDecoder("windows-1252").decode(bytes.subarray(0, 1024));
}

/** A page's own word on its encoding counts if the header has none, and must stand within 1,024 bytes. */
function charsetInHead(bytes: Uint8Array): string | undefined {
  const charset = /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(latinStart(bytes))?.[1];
  // A page that can be read as far as this is not UTF-16.
  return charset !== undefined && /^utf-16/i.test(charset) ? "utf-8" : charset;
}

/** Undefined for binary data. */
function decodeText(bytes: Uint8Array, charset: string | undefined): string | undefined {
  const named = charset === undefined || isMarked(bytes) ? undefined : decodeAs(bytes, charset);
  if (named !== undefined) return named.slice(0, 1024).includes("\0") ? undefined : named;
  const decoded = decodeBytes(bytes);
  return decoded.kind === "text" ? decoded.text : undefined;
}

/** Whether a byte order mark names the encoding. It comes before all other names. */
function isMarked([first, second, third]: Uint8Array): boolean {
  if (first === 0xef) return second === 0xbb && third === 0xbf;
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

/** Undefined if there is no such encoding. */
function decodeAs(bytes: Uint8Array, charset: string): string | undefined {
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Elements whose content is not part of the text. */
const skippedTags = new Set([
  "script",
  "style",
  "template",
  "svg",
  "nav",
  "iframe",
  "object",
  "canvas",
  "audio",
  "video",
  "select",
  "datalist",
  "noembed",
  "noframes",
]);
/** Skipped unless they are a part of the content itself. */
const outerTags = new Set(["header", "footer", "aside"]);
/** Elements with an empty line around them. */
const blockTags = new Set([
  "p",
  "blockquote",
  "ul",
  "ol",
  "dl",
  "table",
  "pre",
  "figure",
  "hr",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "details",
  "fieldset",
]);
/** Elements that begin a line. */
const lineTags = new Set([
  "address",
  "article",
  "aside",
  "body",
  "caption",
  "center",
  "dd",
  "dialog",
  "div",
  "dt",
  "figcaption",
  "footer",
  "form",
  "header",
  "legend",
  "li",
  "main",
  "option",
  "section",
  "summary",
  "tr",
]);

/** The parser looks through all open elements for each end tag, so a page must not be deeper. */
const maxDepth = 1000;
/** UTF-16 units. A longer target of a link is left out. */
const maxTargetLength = 2000;

/** UTF-16 units of a page that are read. */
const maxPageLength = 2_000_000;

/** Reads a page in one pass: the time grows with its length alone. */
export function readHtml(html: string, url: string): WebsiteText {
  const reader = new HtmlReader(url);
  const parser = new Parser({
    onopentag: (name, attributes) => {
      reader.open(name, attributes);
      if (reader.isAtLimit) parser.pause();
    },
    onclosetag: () => reader.close(),
    ontext: (text) => reader.add(text),
  });
  parser.end(html.slice(0, maxPageLength));
  const page = reader.end();
  return { ...page, isCut: page.isCut || html.length > maxPageLength };
}

type Attributes = Readonly<Record<string, string>>;

/** An open element, with what is to be done at its end. */
interface OpenElement {
  readonly name: string;
  readonly isSkipped: boolean;
  readonly atEnd: (() => void) | undefined;
}

class HtmlReader {
  #base: string;
  #hasBase = false;
  #title = "";
  readonly #open: OpenElement[] = [];
  #skipped = 0;
  #titles = 0;
  /** Open elements `main` and `article`. */
  readonly #inside = { main: 0, article: 0 };
  /** Text within `main`, within articles outside of it, and elsewhere. The first of them that is not empty counts. */
  readonly #writers = { main: new WebsiteWriter(), article: new WebsiteWriter(), rest: new WebsiteWriter() };

  constructor(base: string) {
    this.#base = base;
  }

  /** Whether nothing that follows can be read. */
  get isAtLimit(): boolean {
    return this.#isTooDeep || this.#writers.main.isFull;
  }

  get #isTooDeep(): boolean {
    return this.#open.length > maxDepth;
  }

  open(name: string, attributes: Attributes): void {
    const isSkipped = this.#skips(name, attributes);
    if (isSkipped) this.#skipped += 1;
    const atEnd = this.#skipped > 0 ? undefined : this.#begin(name, attributes);
    this.#open.push({ name, isSkipped, atEnd });
  }

  close(): void {
    const element = this.#open.pop();
    if (element?.isSkipped === true) this.#skipped -= 1;
    element?.atEnd?.();
  }

  add(text: string): void {
    if (this.#skipped > 0) return;
    if (this.#titles === 0) this.#writer.add(text);
    else if (this.#title.length < maxTargetLength) this.#title += text;
  }

  end(): WebsiteText {
    const isTooDeep = this.#isTooDeep;
    while (this.#open.length > 0) this.close();
    const { main, article, rest } = this.#writers;
    const found = [main, article, rest].map((writer) => writer.end());
    const text = found.find((each) => each !== "") ?? "";
    const writer = [main, article, rest][found.indexOf(text)];
    return {
      kind: "text",
      title: collapseSpace(this.#title).trim(),
      text,
      isCut: isTooDeep || writer?.isFull === true,
    };
  }

  get #writer(): WebsiteWriter {
    const { main, article } = this.#inside;
    if (main > 0) return this.#writers.main;
    return article > 0 ? this.#writers.article : this.#writers.rest;
  }

  #skips(name: string, attributes: Attributes): boolean {
    if (skippedTags.has(name) || isHidden(name, attributes)) return true;
    return outerTags.has(name) && this.#inside.main + this.#inside.article === 0;
  }

  /** Returns what is to be done at the end of the element. */
  #begin(name: string, attributes: Attributes): (() => void) | undefined {
    if (name === "title") return this.#beginTitle();
    if (name === "base" && !this.#hasBase) {
      this.#hasBase = true;
      this.#base = this.#resolve(attributes["href"]) ?? this.#base;
    }
    const region = regionOf(name, attributes);
    if (region !== undefined) return this.#beginRegion(region);
    const writer = this.#writer;
    const level = /^h([1-6])$/.exec(name)?.[1];
    if (level !== undefined) return writer.beginHeading(Number(level));
    switch (name) {
      case "br":
        writer.endLine();
        return undefined;
      case "a":
        return writer.beginLink(() => this.#resolve(attributes["href"]));
      case "img":
        writer.addImage(attributes["alt"] ?? "");
        return undefined;
      case "code":
      case "kbd":
      case "samp":
        writer.nameLanguage(languageOf(attributes));
        return writer.beginCode();
      case "pre":
        return writer.beginFence(languageOf(attributes));
      case "blockquote":
        return writer.beginIndent("> ", "> ");
      case "ul":
      case "menu":
        return writer.beginList(undefined);
      case "ol":
        return writer.beginList(Math.trunc(Number(attributes["start"] ?? 1)) || 1);
      case "li":
        return writer.beginItem();
      case "dd":
        return writer.beginIndent(": ", "  ");
      case "table":
        return writer.beginTable(/^(?:presentation|none)$/.test(attributes["role"] ?? ""));
      case "tr":
        return writer.beginRow();
      case "td":
      case "th":
        return writer.beginCell(name === "th");
      default:
        return writer.beginBlock(blockTags.has(name), lineTags.has(name));
    }
  }

  #beginTitle(): () => void {
    // The first title counts.
    if (this.#title !== "") this.#skipped += 1;
    else this.#titles += 1;
    const wasSkipped = this.#title !== "";
    return () => {
      if (wasSkipped) this.#skipped -= 1;
      else this.#titles -= 1;
    };
  }

  #beginRegion(region: "main" | "article"): () => void {
    this.#writer.endBlock();
    this.#inside[region] += 1;
    return () => {
      this.#writer.endBlock();
      this.#inside[region] -= 1;
    };
  }

  /** The whole address of a link to another page. */
  #resolve(target: string | undefined): string | undefined {
    if (target === undefined || target.length > maxTargetLength || /^\s*#/.test(target)) return undefined;
    const url = URL.parse(target, this.#base);
    if (url === null || !/^(?:https?|mailto):$/.test(url.protocol) || url.href.length > maxTargetLength)
      return undefined;
    return url.href.replaceAll("(", "%28").replaceAll(")", "%29");
  }
}

function regionOf(name: string, { role }: Attributes): "main" | "article" | undefined {
  if (name === "main" || role === "main") return "main";
  return name === "article" || role === "article" ? "article" : undefined;
}

function isHidden(name: string, attributes: Attributes): boolean {
  const { hidden, style = "", open } = attributes;
  if (hidden !== undefined && hidden !== "until-found") return true;
  if (attributes["aria-hidden"] === "true" || (name === "dialog" && open === undefined)) return true;
  return /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b/i.test(style.slice(0, maxTargetLength));
}

function languageOf(attributes: Attributes): string {
  return /(?:^|\s)(?:language|lang)-([\w+#.-]{1,40})(?:\s|$)/.exec(attributes["class"] ?? "")?.[1] ?? "";
}
