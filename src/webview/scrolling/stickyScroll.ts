/** Pixels of what it stays at that are in view at least, however little of it is drawn yet. */
const minShown = 8;

/** What a user moves the box by. */
const moves = ["wheel", "touchstart", "pointerdown", "keydown"] as const;

/** Where the box stays until the user goes elsewhere. */
interface Place {
  /** It may come onto the page later. */
  readonly find: () => HTMLElement | null;
  /** Pixels from the top of the box down to what was found. */
  readonly offset: number;
}

/** Keeps a scrolled box at its end, or where something is, while the user is there, and leaves it alone otherwise. */
export class StickyScroll {
  readonly #box: HTMLElement;
  readonly #end: ReadingEnd;
  #place: Place | undefined;

  constructor(box: HTMLElement, onChange: (atEnd: boolean) => void) {
    this.#box = box;
    this.#end = new ReadingEnd(onChange);
  }

  get atEnd(): boolean {
    return this.#end.isReached;
  }

  /** Follows the growth of `content`, the only child of the box; returns how to stop. */
  follow(content: HTMLElement): () => void {
    const sizes = new ResizeObserver(() => this.#scrollToPlace());
    sizes.observe(content);
    sizes.observe(this.#box);
    const onScroll = (): void => this.#onScroll();
    const onMove = (): void => this.#unpin();
    this.#box.addEventListener("scroll", onScroll, { passive: true });
    for (const type of moves) this.#box.addEventListener(type, onMove, { passive: true });
    return () => {
      sizes.disconnect();
      this.#box.removeEventListener("scroll", onScroll);
      for (const type of moves) this.#box.removeEventListener(type, onMove);
    };
  }

  toEnd(): void {
    this.#unpin();
    this.#scrollToEnd();
  }

  /** Stays where this is, so far down the box, whatever is still drawn around it; it may come onto the page later. */
  stayAt(find: () => HTMLElement | null, offset = 0): void {
    this.#place = { find, offset };
    this.#scrollToPlace();
  }

  /** The first of these whose top is in view stays where it is now, whatever takes the place of what is in it. */
  pin(...elements: readonly HTMLElement[]): void {
    const kept = elements.find((element) => this.#offsetOf(element) >= 0);
    if (kept !== undefined) this.stayAt(() => (kept.isConnected ? kept : null), this.#offsetOf(kept));
  }

  /** A press opens or closes something. What was pressed stays where it is, so that the end is left where it moves away. */
  letOpen(): void {
    // Ahead of the sizes that are told of in the same frame.
    window.requestAnimationFrame(() => this.#end.opened(this.#box));
  }

  /** What it is to stay at may have come onto the page, without a change of the content's size. */
  seek(): void {
    if (this.#place !== undefined) this.#scrollToPlace();
  }

  #unpin(): void {
    this.#place = undefined;
  }

  #scrollToPlace(): void {
    const found = this.#place?.find() ?? null;
    if (found !== null) {
      const offset = Math.max(this.#place?.offset ?? 0, minShown - found.offsetHeight);
      this.#box.scrollTop += this.#offsetOf(found) - offset;
      this.#end.placed(this.#box);
    } else if (this.#end.isReached) {
      this.#scrollToEnd();
    }
  }

  #scrollToEnd(): void {
    this.#box.scrollTop = this.#box.scrollHeight;
    this.#end.scrolledToEnd(this.#box);
  }

  #onScroll(): void {
    // The editor's search in the page scrolls without anything that a user does here.
    if (!this.#isInView(this.#place?.find() ?? null)) this.#unpin();
    this.#end.scrolled(this.#box);
  }

  #offsetOf(element: HTMLElement): number {
    return element.getBoundingClientRect().top - this.#box.getBoundingClientRect().top;
  }

  /** What is not on the page yet is not out of view. */
  #isInView(place: HTMLElement | null): boolean {
    if (place === null) return true;
    const shown = this.#box.getBoundingClientRect();
    const { top, bottom } = place.getBoundingClientRect();
    return bottom > shown.top && top < shown.bottom;
  }
}

/** Pixels from the end that still count as the end for who comes to it. */
const tolerance = 32;
/** Zoomed, a box is scrolled by parts of pixels. */
const part = 1;

/** How a box is scrolled, in pixels. */
export interface ScrolledBox {
  readonly scrollTop: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
}

/** Tells by how a box is scrolled whether its user is at its end. */
export class ReadingEnd {
  readonly #onChange: (isReached: boolean) => void;
  #isReached = true;
  #lastTop = 0;

  constructor(onChange: (isReached: boolean) => void) {
    this.#onChange = onChange;
  }

  get isReached(): boolean {
    return this.#isReached;
  }

  /** The page has scrolled the box to its end. */
  scrolledToEnd({ scrollTop }: ScrolledBox): void {
    // Where the content has shrunk this is further up than before, and yet nobody left the end.
    this.#lastTop = scrollTop;
    this.#set(true);
  }

  /** The page has scrolled the box to something in it. */
  placed(box: ScrolledBox): void {
    this.#lastTop = box.scrollTop;
    this.#set(distanceOf(box) <= tolerance);
  }

  /** Growth moves the end away without moving the view: only going up, however little, means leaving the end. */
  scrolled(box: ScrolledBox): void {
    const distance = distanceOf(box);
    const down = box.scrollTop - this.#lastTop;
    this.#lastTop = box.scrollTop;
    if (distance <= part || (distance <= tolerance && down > 0)) this.#set(true);
    else if (down < 0) this.#set(false);
  }

  /** What a press has opened is to be seen: it takes its user from the end, unless all of it fits. */
  opened(box: ScrolledBox): void {
    this.#set(distanceOf(box) <= part);
  }

  #set(isReached: boolean): void {
    if (this.#isReached === isReached) return;
    this.#isReached = isReached;
    this.#onChange(isReached);
  }
}

function distanceOf({ scrollTop, scrollHeight, clientHeight }: ScrolledBox): number {
  return scrollHeight - scrollTop - clientHeight;
}
