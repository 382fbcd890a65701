/** Minimum height in pixels of the target to keep in view while it is only partly drawn. */
const minShown = 8;

/** Events that a user scrolls the box with. */
const moves = ["wheel", "touchstart", "pointerdown", "keydown"] as const;

/** A target in the box that stays in view until the user scrolls away. */
interface Place {
  /** Returns null until the target is on the page. */
  readonly find: () => HTMLElement | null;
  /** Pixels from the top of the box down to the target. */
  readonly offset: number;
}

/** Keeps a box scrolled to its end or to a target until the user scrolls away. */
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

  /** Follows the growth of `content`, the only child of the box. Returns a function that stops following. */
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

  /**
   * Keeps the found element `offset` pixels below the top while the content around it changes. The element may come
   * onto the page later.
   */
  stayAt(find: () => HTMLElement | null, offset = 0): void {
    this.#place = { find, offset };
    this.#scrollToPlace();
  }

  /** Keeps one of these elements where it is now, even if its content is replaced: the first whose top is in view. */
  pin(...elements: readonly HTMLElement[]): void {
    const kept = elements.find((element) => this.#offsetOf(element) >= 0);
    if (kept !== undefined) this.stayAt(() => (kept.isConnected ? kept : null), this.#offsetOf(kept));
  }

  /**
   * Call it when a press opens or closes a section. The pressed element stays in place, even if this moves the end
   * away.
   */
  letOpen(): void {
    // Runs before the resize observer in the same frame.
    window.requestAnimationFrame(() => this.#end.opened(this.#box));
  }

  /** Looks for the target again, because it may have been added without a change of the content's size. */
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
    // A search by VS Code scrolls the page without any user event.
    if (!this.#isInView(this.#place?.find() ?? null)) this.#unpin();
    this.#end.scrolled(this.#box);
  }

  #offsetOf(element: HTMLElement): number {
    return element.getBoundingClientRect().top - this.#box.getBoundingClientRect().top;
  }

  /** A target that is not on the page yet counts as in view. */
  #isInView(place: HTMLElement | null): boolean {
    if (place === null) return true;
    const shown = this.#box.getBoundingClientRect();
    const { top, bottom } = place.getBoundingClientRect();
    return bottom > shown.top && top < shown.bottom;
  }
}

/** Scrolling down to within this distance in pixels reaches the end. */
const tolerance = 32;
/** Maximum pixels from the end that count as the end: in a zoomed page, scroll positions are fractions of pixels. */
const part = 1;

/** The scroll position and sizes of a box, in pixels. */
export interface ScrolledBox {
  readonly scrollTop: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
}

/** Derives from the scroll positions whether the user is at the end of the box. */
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

  /** Call it when the page has scrolled the box to its end. */
  scrolledToEnd({ scrollTop }: ScrolledBox): void {
    // If the content has shrunk, this position is higher than the last one, although the user did not scroll up.
    this.#lastTop = scrollTop;
    this.#set(true);
  }

  /** Call it when the page has scrolled the box to a target. */
  placed(box: ScrolledBox): void {
    this.#lastTop = box.scrollTop;
    this.#set(distanceOf(box) <= tolerance);
  }

  /** Growing content moves the end but not the view. So only scrolling up, by any amount, leaves the end. */
  scrolled(box: ScrolledBox): void {
    const distance = distanceOf(box);
    const down = box.scrollTop - this.#lastTop;
    this.#lastTop = box.scrollTop;
    if (distance <= part || (distance <= tolerance && down > 0)) this.#set(true);
    else if (down < 0) this.#set(false);
  }

  /** Call it when a press has opened a section. Leaves the end unless the whole section fits into the view. */
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
