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
  gone({ scrollTop }: ScrolledBox): void {
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
