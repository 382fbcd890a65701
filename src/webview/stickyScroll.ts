/** Pixels from the end that still count as the end. */
const tolerance = 32;

/** What a user moves the box by. */
const moves = ["wheel", "touchstart", "pointerdown", "keydown"] as const;

/** Keeps a scrolled box at its end, or where something is, while the user is there, and leaves it alone otherwise. */
export class StickyScroll {
  readonly #box: HTMLElement;
  readonly #onChange: (atEnd: boolean) => void;
  #atEnd = true;
  #lastTop = 0;
  /** Finds what the box stays at, until the user goes elsewhere. */
  #find: (() => HTMLElement | null) | undefined;

  constructor(box: HTMLElement, onChange: (atEnd: boolean) => void) {
    this.#box = box;
    this.#onChange = onChange;
  }

  /** Follows the growth of `content`, the only child of the box; returns how to stop. */
  follow(content: HTMLElement): () => void {
    const sizes = new ResizeObserver(() => this.#keepPlace());
    sizes.observe(content);
    sizes.observe(this.#box);
    const onScroll = (): void => this.#takeScroll();
    const onMove = (): void => this.#leavePlace();
    this.#box.addEventListener("scroll", onScroll, { passive: true });
    for (const type of moves) this.#box.addEventListener(type, onMove, { passive: true });
    return () => {
      sizes.disconnect();
      this.#box.removeEventListener("scroll", onScroll);
      for (const type of moves) this.#box.removeEventListener(type, onMove);
    };
  }

  toEnd(): void {
    this.#leavePlace();
    this.#set(true);
    this.#scroll();
  }

  /** Stays where this is, whatever is still drawn around it; it may come onto the page later. */
  stayAt(find: () => HTMLElement | null): void {
    this.#find = find;
    this.#keepPlace();
  }

  /** What it is to stay at may have come onto the page, without a change of the content's size. */
  seek(): void {
    if (this.#find !== undefined) this.#keepPlace();
  }

  #leavePlace(): void {
    this.#find = undefined;
  }

  #keepPlace(): void {
    const place = this.#find?.() ?? null;
    if (place !== null) {
      place.scrollIntoView({ block: "start" });
      this.#lastTop = this.#box.scrollTop;
      this.#set(this.#isNearEnd());
    } else if (this.#atEnd) {
      this.#scroll();
    }
  }

  #scroll(): void {
    this.#box.scrollTop = this.#box.scrollHeight;
    // Where the content has shrunk this is further up than before, and yet nobody left the end.
    this.#lastTop = this.#box.scrollTop;
  }

  /** Growth moves the end away without moving the view: only going up means leaving the end. */
  #takeScroll(): void {
    const { scrollTop } = this.#box;
    // The editor's search in the page scrolls without anything that a user does here.
    if (!this.#isInView(this.#find?.() ?? null)) this.#leavePlace();
    if (this.#isNearEnd()) {
      this.#set(true);
    } else if (scrollTop < this.#lastTop) {
      this.#set(false);
    }
    this.#lastTop = scrollTop;
  }

  #isNearEnd(): boolean {
    const { scrollTop, scrollHeight, clientHeight } = this.#box;
    return scrollHeight - scrollTop - clientHeight <= tolerance;
  }

  /** What is not on the page yet is not out of view. */
  #isInView(place: HTMLElement | null): boolean {
    if (place === null) return true;
    const shown = this.#box.getBoundingClientRect();
    const { top, bottom } = place.getBoundingClientRect();
    return bottom > shown.top && top < shown.bottom;
  }

  #set(atEnd: boolean): void {
    if (this.#atEnd !== atEnd) {
      this.#atEnd = atEnd;
      this.#onChange(atEnd);
    }
  }
}
