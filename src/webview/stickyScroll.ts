/** Pixels from the end that still count as the end. */
const tolerance = 32;

/** Keeps a scrolled box at its end while the user is there, and leaves it alone otherwise. */
export class StickyScroll {
  readonly #box: HTMLElement;
  readonly #onChange: (atEnd: boolean) => void;
  #atEnd = true;
  #lastTop = 0;

  constructor(box: HTMLElement, onChange: (atEnd: boolean) => void) {
    this.#box = box;
    this.#onChange = onChange;
  }

  /** Follows the growth of `content`, the only child of the box; returns how to stop. */
  follow(content: HTMLElement): () => void {
    const sizes = new ResizeObserver(() => {
      if (this.#atEnd) this.#scroll();
    });
    sizes.observe(content);
    sizes.observe(this.#box);
    const onScroll = (): void => this.#takeScroll();
    this.#box.addEventListener("scroll", onScroll, { passive: true });
    return () => {
      sizes.disconnect();
      this.#box.removeEventListener("scroll", onScroll);
    };
  }

  toEnd(): void {
    this.#set(true);
    this.#scroll();
  }

  #scroll(): void {
    this.#box.scrollTop = this.#box.scrollHeight;
    // Where the content has shrunk this is further up than before, and yet nobody left the end.
    this.#lastTop = this.#box.scrollTop;
  }

  /** Growth moves the end away without moving the view: only going up means leaving the end. */
  #takeScroll(): void {
    const { scrollTop, scrollHeight, clientHeight } = this.#box;
    if (scrollHeight - scrollTop - clientHeight <= tolerance) {
      this.#set(true);
    } else if (scrollTop < this.#lastTop) {
      this.#set(false);
    }
    this.#lastTop = scrollTop;
  }

  #set(atEnd: boolean): void {
    if (this.#atEnd !== atEnd) {
      this.#atEnd = atEnd;
      this.#onChange(atEnd);
    }
  }
}
