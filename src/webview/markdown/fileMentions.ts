import { readFileReference } from "../../text/markdown/fileReference.ts";

const fileAttribute = "data-file";
/** A path with a folder, or a file name with a line number, in running text. */
const inSentence =
  /(?<![\w/\\.@:-])(?:(?:[a-z]:[\\/]|\.{0,2}[\\/])?(?:[\w@.-]+[\\/])+[\w@.-]*\w\.[a-z0-9]{1,8}(?::\d{1,7}(?::\d{1,5})?)?|[\w@.-]*\w\.[a-z0-9]{1,8}:\d{1,7}(?::\d{1,5})?)(?![\w/\\])/gi;

/** Turns file names in answers into links if the workspace has the file. */
export class FileMentions {
  readonly #request: (names: readonly string[]) => void;
  readonly #names = new FileLookupQueue();
  /**
   * Key: file name. Value: the elements that become links if the workspace has the file. Because of this map, the page
   * need not be searched.
   */
  readonly #marked = new Map<string, MarkedElements>();
  /** Names marked in this frame. */
  readonly #touched = new Set<MarkedElements>();

  constructor(request: (names: readonly string[]) => void) {
    this.#request = request;
  }

  /** Marks everything that may name a file. */
  mark(fragment: DocumentFragment): void {
    for (const code of fragment.querySelectorAll("code")) {
      if (code.closest("pre, a") === null && code.children.length === 0)
        this.linkIfFound(code, code.textContent);
    }
    for (const text of textsOf(fragment)) this.#markText(text);
  }

  /** Requests the names marked since the last call. Their elements must be on the page by now. */
  requestMarked(): void {
    for (const marked of this.#touched) marked.prune();
    this.#touched.clear();
    for (const names of this.#names.consume()) this.#request(names);
  }

  /** Requests again those names on the page that the workspace did not have. */
  requestAgain(): void {
    for (const [name, marked] of this.#marked) if (marked.isDetached()) this.#marked.delete(name);
    this.#names.requeue(this.#marked.keys());
  }

  /** Drops all state of a chat that leaves the page. */
  forget(): void {
    this.#marked.clear();
    this.#touched.clear();
    this.#names.forget();
  }

  /** Links these names: the workspace has the files. */
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

  /** Turns the element's content into a link, now or once the workspace is known to have the file. */
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

/** Elements that show the same name. Drops elements that redrawing an open block removed from the page. */
class MarkedElements {
  #elements: HTMLElement[] = [];
  #limit = 32;

  add(element: HTMLElement): void {
    this.#elements.push(element);
  }

  /** Checks the elements only when their number has doubled, so that the cost per element is constant. */
  prune(): void {
    if (this.#elements.length < this.#limit) return;
    this.#elements = this.#elements.filter((element) => element.isConnected);
    this.#limit = Math.max(32, this.#elements.length * 2);
  }

  /** Drops elements that are not on the page. Returns true if none are left. */
  isDetached(): boolean {
    this.#elements = this.#elements.filter((element) => element.isConnected);
    return this.#elements.length === 0;
  }

  linkAll(name: string): void {
    for (const element of this.#elements) link(element, name);
  }
}

/** The file that a link opens; undefined for other links. */
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
      node.parentElement === null ||
      node.parentElement.closest(`a, code, pre, .formula, [${fileAttribute}]`) === null;
    if (isPlain && node instanceof Text && /[./\\]/.test(node.data)) texts.push(node);
  }
  return texts;
}

/** Maximum number of names per chat that are pending or were not found. Further names stay plain text. */
const maxPending = 2000;
/** Maximum number of names in one message, as the protocol allows. */
const maxPerMessage = 200;

/** Knows the names that were requested from the host and those that the workspace has. */
export class FileLookupQueue {
  readonly #known = new Set<string>();
  readonly #requested = new Set<string>();
  #waiting: string[] = [];

  /** Returns whether the workspace may have the file. Queues a name that was not requested before. */
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

  /** Replaces all requested names by these and requests them again. */
  requeue(names: Iterable<string>): void {
    this.forget();
    for (const name of names) this.add(name);
  }

  /** Drops the requested names. Found names stay: other chats use the same workspace. */
  forget(): void {
    this.#requested.clear();
    this.#waiting = [];
  }

  /** Returns the queued names, split into messages, and empties the queue. */
  consume(): readonly (readonly string[])[] {
    const messages: string[][] = [];
    while (this.#waiting.length > 0) messages.push(this.#waiting.splice(0, maxPerMessage));
    return messages;
  }
}
