import { readFileReference } from "../../text/markdown/fileReference.ts";

const fileAttribute = "data-file";
/** A path with a folder, or a name with a line, in the midst of a sentence. */
const inSentence =
  /(?<![\w/\\.@:-])(?:(?:[a-z]:[\\/]|\.{0,2}[\\/])?(?:[\w@.-]+[\\/])+[\w@.-]*\w\.[a-z0-9]{1,8}(?::\d{1,7}(?::\d{1,5})?)?|[\w@.-]*\w\.[a-z0-9]{1,8}:\d{1,7}(?::\d{1,5})?)(?![\w/\\])/gi;

/** Names of files in answers: those that the workspace has become links. */
export class FileMentions {
  readonly #request: (names: readonly string[]) => void;
  readonly #names = new FileLookupQueue();
  /** By name: what becomes a link if the workspace has it, so that the page need not be searched. */
  readonly #marked = new Map<string, MarkedElements>();
  /** Marked in this frame. */
  readonly #touched = new Set<MarkedElements>();

  constructor(request: (names: readonly string[]) => void) {
    this.#request = request;
  }

  /** Marks what may name a file. */
  mark(fragment: DocumentFragment): void {
    for (const code of fragment.querySelectorAll("code")) {
      if (code.closest("pre, a") === null && code.children.length === 0)
        this.linkIfFound(code, code.textContent);
    }
    for (const text of textsOf(fragment)) this.#markText(text);
  }

  /** Asks about what was marked since, all of which stands in the page by now. */
  requestMarked(): void {
    for (const marked of this.#touched) marked.prune();
    this.#touched.clear();
    for (const names of this.#names.consume()) this.#request(names);
  }

  /** Asks once more about the names on the page that the workspace did not have. */
  requestAgain(): void {
    for (const [name, marked] of this.#marked) if (marked.isDetached()) this.#marked.delete(name);
    this.#names.requeue(this.#marked.keys());
  }

  /** Lets go of a chat that leaves the page. */
  forget(): void {
    this.#marked.clear();
    this.#touched.clear();
    this.#names.forget();
  }

  /** The workspace has these. */
  found(names: readonly string[]): void {
    for (const name of names) {
      this.#names.found(name);
      this.#marked.get(name)?.linkAll(name);
      this.#marked.delete(name);
    }
  }

  #markText(text: Text): void {
    const matches = [...text.data.matchAll(inSentence)];
    for (const match of matches.toReversed()) {
      const [name] = match;
      if (readFileReference(name) === undefined) continue;
      const rest = text.splitText(match.index);
      rest.splitText(name.length);
      const span = document.createElement("span");
      rest.replaceWith(span);
      span.append(rest);
      this.linkIfFound(span, name);
    }
  }

  /** Makes a link of what the element shows, if the workspace has the file. */
  linkIfFound(element: HTMLElement, name: string): void {
    if (readFileReference(name) === undefined || !this.#names.add(name)) return;
    element.setAttribute(fileAttribute, name);
    if (this.#names.isKnown(name)) link(element, name);
    else this.#remember(element, name);
  }

  #remember(element: HTMLElement, name: string): void {
    const marked = this.#marked.get(name) ?? new MarkedElements();
    this.#marked.set(name, marked);
    marked.add(element);
    this.#touched.add(marked);
  }
}

/** Elements of one name. An open block is drawn again and again: those it left behind are let go. */
class MarkedElements {
  #elements: HTMLElement[] = [];
  #limit = 32;

  add(element: HTMLElement): void {
    this.#elements.push(element);
  }

  /** Looks at all of them only when they have doubled, so that each costs the same however many there are. */
  prune(): void {
    if (this.#elements.length < this.#limit) return;
    this.#elements = this.#elements.filter((element) => element.isConnected);
    this.#limit = Math.max(32, this.#elements.length * 2);
  }

  /** Lets go of those that are not on the page, and tells whether none is. */
  isDetached(): boolean {
    this.#elements = this.#elements.filter((element) => element.isConnected);
    return this.#elements.length === 0;
  }

  linkAll(name: string): void {
    for (const element of this.#elements) link(element, name);
  }
}

/** The file that a link is for; undefined for other links. */
export function fileOf(anchor: Element): string | undefined {
  return anchor.getAttribute(fileAttribute) ?? undefined;
}

function link(element: HTMLElement, name: string): void {
  element.removeAttribute(fileAttribute);
  const anchor = document.createElement("a");
  anchor.href = "#";
  anchor.title = name;
  anchor.setAttribute(fileAttribute, name);
  anchor.append(...element.childNodes);
  element.append(anchor);
}

function textsOf(fragment: DocumentFragment): Text[] {
  const texts: Text[] = [];
  const walker = document.createTreeWalker(fragment, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const isPlain =
      node.parentElement === null || node.parentElement.closest(`a, code, pre, [${fileAttribute}]`) === null;
    if (isPlain && node instanceof Text && /[./\\]/.test(node.data)) texts.push(node);
  }
  return texts;
}

/** Names that wait for an answer, or have none, in one chat; more are left as text. */
const maxPending = 2000;
/** What the contract takes in one message. */
const maxPerMessage = 200;

/** Which names of files the host was asked about, and which of them the workspace has. */
export class FileLookupQueue {
  readonly #known = new Set<string>();
  readonly #requested = new Set<string>();
  #waiting: string[] = [];

  /** Whether the workspace may have it. What is not known yet is asked about. */
  add(name: string): boolean {
    if (this.#known.has(name) || this.#requested.has(name)) return true;
    if (this.#requested.size >= maxPending) return false;
    this.#requested.add(name);
    this.#waiting.push(name);
    return true;
  }

  isKnown(name: string): boolean {
    return this.#known.has(name);
  }

  found(name: string): void {
    this.#known.add(name);
    this.#requested.delete(name);
  }

  /** Asks about these again, and about no others. */
  requeue(names: Iterable<string>): void {
    this.forget();
    for (const name of names) this.add(name);
  }

  /** Of another chat the workspace has the same files. */
  forget(): void {
    this.#requested.clear();
    this.#waiting = [];
  }

  /** What is to be asked now, in as many messages as it takes. */
  consume(): readonly (readonly string[])[] {
    const messages: string[][] = [];
    while (this.#waiting.length > 0) messages.push(this.#waiting.splice(0, maxPerMessage));
    return messages;
  }
}
