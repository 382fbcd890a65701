import { isComposing } from "../controls/keys.ts";

const turnSelector = "article";
const tabbableSelector = "a[href], button, summary, textarea, input:not([disabled]), [tabindex='0']";

/** Defines how Escape leaves the transcript. */
export interface FocusExit {
  /** Moves the focus to the composer. */
  readonly leave: () => void;
  /** False while Escape has another function. */
  readonly mayLeave: () => boolean;
}

/**
 * Makes the transcript a single Tab stop. Arrow keys move from turn to turn. Tab moves through the controls of the
 * current turn and then leaves the transcript. Escape moves from a control to its turn, and from a turn to `exit`.
 * Returns a function that removes the listeners.
 */
export function navigateTurns(log: HTMLElement, exit: FocusExit): () => void {
  let current: HTMLElement | undefined;
  let byTab = false;
  const noteTab = (event: KeyboardEvent): void => {
    byTab = event.key === "Tab";
  };
  const noteOther = (): void => {
    byTab = false;
  };
  const onFocusIn = ({ target, relatedTarget }: FocusEvent): void => {
    const entered = !(relatedTarget instanceof Node && log.contains(relatedTarget));
    if (entered && byTab && target !== log) {
      // Shift+Tab into the transcript would focus the last control of the last turn.
      (current?.isConnected === true ? current : log).focus();
      return;
    }
    if (target instanceof Element) current = turnAround(target) ?? current;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Tab" && !event.shiftKey && isLast(event.target, log)) {
      event.preventDefault();
      (tabbables(document.body).find((each) => follows(each, log)) ?? log).focus();
    } else if (event.key === "Tab" && event.shiftKey && isFirst(event.target)) {
      event.preventDefault();
      log.focus();
    } else if (event.key === "Escape" && !isComposing(event) && exit.mayLeave()) {
      const turn = event.target instanceof Element ? turnAround(event.target) : undefined;
      if (turn === undefined || turn === event.target) exit.leave();
      else turn.focus();
    } else {
      goByArrow(event, log);
    }
  };
  document.addEventListener("keydown", noteTab, true);
  document.addEventListener("pointerdown", noteOther, true);
  window.addEventListener("blur", noteOther);
  log.addEventListener("focusin", onFocusIn);
  log.addEventListener("keydown", onKeyDown);
  return () => {
    document.removeEventListener("keydown", noteTab, true);
    document.removeEventListener("pointerdown", noteOther, true);
    window.removeEventListener("blur", noteOther);
    log.removeEventListener("focusin", onFocusIn);
    log.removeEventListener("keydown", onKeyDown);
  };
}

function follows(element: Element, log: Element): boolean {
  const isBehind = (log.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  return isBehind && !log.contains(element);
}

function turnAround(element: Element): HTMLElement | undefined {
  return element.closest<HTMLElement>(turnSelector) ?? undefined;
}

/** Whether this is the last stop for Tab within its turn, or the transcript itself if it has turns. */
function isLast(target: EventTarget | null, log: HTMLElement): boolean {
  if (target === log) return log.querySelector(turnSelector) !== null;
  if (!(target instanceof Element)) return false;
  const turn = turnAround(target);
  return turn !== undefined && (tabbables(turn).at(-1) ?? turn) === target;
}

/** Whether this is a turn itself: the only stop before it is the transcript. */
function isFirst(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches(turnSelector);
}

function tabbables(root: HTMLElement): readonly HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>(tabbableSelector)].filter(
    (element) => element.tabIndex >= 0 && element.checkVisibility(),
  );
}

function goByArrow(event: KeyboardEvent, log: HTMLElement): void {
  const { target, key } = event;
  if (!(target instanceof HTMLElement) || (target !== log && !target.matches(turnSelector))) return;
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const turns = [...log.querySelectorAll<HTMLElement>(turnSelector)];
  const next = turns[nextIndex(key, turns.indexOf(target), turns.length)];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
  next.scrollIntoView({ block: "nearest" });
}

/** `index` is -1 for the transcript itself; from there both arrows go to the newest turn. */
function nextIndex(key: string, index: number, count: number): number {
  switch (key) {
    case "ArrowUp":
      return index === -1 ? count - 1 : Math.max(index - 1, 0);
    case "ArrowDown":
      return index === -1 ? count - 1 : Math.min(index + 1, count - 1);
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return -1;
  }
}
