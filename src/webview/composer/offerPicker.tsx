import type { RefObject, TargetedKeyboardEvent, VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ContextOffer, FromWebview } from "../../chat/page/protocol.ts";
import { findMention, type Mention, LatestRequestQueue, steadyOffers } from "./offers.ts";
import { isComposing, isSendKey } from "../controls/keys.ts";
import { usePage } from "../context/pageContext.ts";

const listId = "offers";

/** What the composer needs of the list behind `#` and `/`. */
export interface OfferPicker {
  /** To be called after every change of the text; where the caret goes it sees itself. */
  readonly follow: () => void;
  /** Whether the key was the list's. */
  readonly consumeKey: (event: TargetedKeyboardEvent<HTMLTextAreaElement>) => boolean;
  readonly close: () => void;
  /** What was typed is sent: the next text has marks of its own. */
  readonly reset: () => void;
  /** For the text box, which keeps the focus. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly list: VNode | null;
}

/** What the page shows of what the host offers. */
interface Offered {
  readonly offers: readonly ContextOffer[];
  /** Says what is not offered, and why. */
  readonly note?: string;
}

const nothing: Offered = { offers: [] };

/**
 * A list of what can be attached or asked, which opens at a `#` in the text or a `/` at its beginning and
 * is filtered by what follows. `send` is called where Enter came before it was known that there is nothing to offer.
 */
export function useOfferPicker(
  box: RefObject<HTMLTextAreaElement | null>,
  type: (text: string) => void,
  send: () => void,
): OfferPicker {
  const { model, t } = usePage();
  const [mention, setMention] = useState<Mention>();
  const [{ offers, note }, setOffered] = useState(nothing);
  const [active, setActive] = useState(0);
  const activeNow = useRef(active);
  activeNow.current = active;
  const [requests] = useState(() => new LatestRequestQueue());
  const searchId = useRef(0);
  /** The search whose offers are shown; behind what is typed until the host has answered. */
  const shownId = useRef(0);
  /** The host may still be looking for files. */
  const isFinding = useRef(false);
  /** Enter came before the offers for what was typed: the first of them is meant. */
  const takesFirst = useRef(false);
  const settleLatest = useRef<(found: readonly ContextOffer[]) => void>(() => undefined);
  /** The place of a mark that was left by Escape, which does not open the list again. */
  const dismissed = useRef<number>(undefined);
  const { mark, typed } = mention ?? {};
  useEffect(
    () =>
      model.listenToOffers(({ searchId: id, offers: found, note: foundNote, isPartial = false }) => {
        requests.answered(id);
        if (id !== searchId.current || (isPartial && found.length === 0)) return;
        const isFurther = shownId.current === id;
        shownId.current = id;
        setOffered(({ offers: shown }) => ({
          offers: isFurther ? steadyOffers(shown, activeNow.current, found) : found,
          ...(foundNote === undefined ? {} : { note: foundNote }),
        }));
        if (!isFurther) setActive((before) => Math.min(before, Math.max(0, found.length - 1)));
        if (isPartial) return;
        if (takesFirst.current) settleLatest.current(found);
        takesFirst.current = false;
      }),
    [model, requests],
  );
  useEffect(() => () => requests.forget(), [requests]);
  // Before the next key: what is shown counts for what was typed before it then.
  useLayoutEffect(() => {
    searchId.current += 1;
    takesFirst.current = false;
    if (mark === undefined || typed === undefined) {
      setOffered(nothing);
      requests.forget();
      if (isFinding.current) model.post({ type: "context", request: { type: "stop-finding" } });
      isFinding.current = false;
      return;
    }
    isFinding.current = mark === "#";
    const id = searchId.current;
    requests.request(id, () => model.post(findRequest(mark, id, typed)));
  }, [model, requests, mark, typed]);
  useEffect(() => {
    if (note !== undefined) model.announce(note);
  }, [model, note]);
  const isOpen = mention !== undefined && offers.length > 0;
  const close = (): void => setMention(undefined);
  const follow = (): void => {
    const found = box.current === null ? undefined : findMention(box.current);
    if (found === undefined) dismissed.current = undefined;
    if (found?.start === dismissed.current) return close();
    setMention(found);
    if (found?.mark !== mark) setOffered(nothing);
    if (found?.typed !== typed) setActive(0);
  };
  // The caret may leave what the list is for without a change of the text. Ahead of the event of what was just typed.
  useLayoutEffect(() => {
    if (mention === undefined) return undefined;
    const followCaret = (): void => {
      const { selectionStart = -1, selectionEnd } = box.current ?? {};
      if (selectionStart !== selectionEnd || selectionStart <= mention.start || selectionStart > mention.end)
        setMention(undefined);
    };
    document.addEventListener("selectionchange", followCaret);
    return () => document.removeEventListener("selectionchange", followCaret);
  }, [box, mention]);
  const reset = (): void => {
    dismissed.current = undefined;
    close();
  };
  const choose = (offer: ContextOffer | undefined): void => {
    const field = box.current;
    if (offer === undefined || mention === undefined || field === null) return;
    const { value } = field;
    const { start, end } = mention;
    // What is attached leaves the text; a prompt's name stays, and what is added to it follows.
    const kept = mention.mark === "/" ? `/${offer.id} ` : "";
    const text = value.slice(0, start) + kept + value.slice(end).replace(kept === "" ? "" : /^ /, "");
    const caret = start + kept.length;
    // At once, since the next key may come before the next frame.
    field.value = text;
    field.setSelectionRange(caret, caret);
    type(text);
    close();
    model.post(chooseRequest(mention.mark, offer.id));
  };
  /** A prompt's whole name has been typed: Enter sends it. */
  const isWholeAmong = (among: readonly ContextOffer[]): boolean =>
    mark === "/" && among.some(({ id }) => id === typed);
  const isWhole = (): boolean =>
    isWholeAmong(shownId.current === searchId.current ? offers.slice(active, active + 1) : offers);
  settleLatest.current = (found) => {
    if (found.length === 0 || isWholeAmong(found)) send();
    else choose(found[0]);
  };
  /** Enter that comes before the first offers waits for them: what is half typed is not to be sent. */
  const consumeEarlyEnter = (event: TargetedKeyboardEvent<HTMLTextAreaElement>): boolean => {
    const isEarly = mention !== undefined && shownId.current !== searchId.current;
    if (!isEarly || !isSendKey(event) || (takesFirst.current && !event.repeat)) return false;
    takesFirst.current = true;
    event.preventDefault();
    return true;
  };
  const consumeKey = (event: TargetedKeyboardEvent<HTMLTextAreaElement>): boolean => {
    if (isComposing(event)) return false;
    if (!isOpen) return consumeEarlyEnter(event);
    const { length } = offers;
    switch (event.key) {
      case "ArrowDown":
        setActive((active + 1) % length);
        break;
      case "ArrowUp":
        setActive((active + length - 1) % length);
        break;
      case "Enter":
      case "Tab":
        if (event.shiftKey || event.ctrlKey || event.altKey || event.metaKey) return false;
        if (event.key === "Enter" && isWhole()) return false;
        if (shownId.current === searchId.current) choose(offers[active]);
        else takesFirst.current = true;
        break;
      case "Escape":
        dismissed.current = mention.start;
        close();
        // It stops an arriving answer otherwise.
        event.stopPropagation();
        break;
      default:
        return false;
    }
    event.preventDefault();
    return true;
  };
  const attributes = {
    "aria-autocomplete": "list",
    ...(isOpen ? { "aria-controls": listId, "aria-activedescendant": `${listId}-${active}` } : {}),
  };
  const label = mark === "/" ? t("Prompts") : t("Attach Context");
  const list =
    isOpen || (mention !== undefined && note !== undefined) ? (
      // The text box keeps the focus, also when the list is scrolled.
      <div class="offers" onMouseDown={(event) => event.preventDefault()}>
        {isOpen && <OfferList offers={offers} active={active} label={label} onChoose={choose} />}
        {note !== undefined && <p class="offers-note">{note}</p>}
      </div>
    ) : null;
  return { follow, consumeKey, close, reset, attributes, list };
}

function findRequest(mark: Mention["mark"], searchId: number, typed: string): FromWebview {
  const request = { type: "find", searchId, typed } as const;
  return mark === "/" ? { type: "prompt", request } : { type: "context", request };
}

function chooseRequest(mark: Mention["mark"], id: string): FromWebview {
  return mark === "/"
    ? { type: "prompt", request: { type: "choose", name: id } }
    : { type: "context", request: { type: "attach", offerId: id } };
}

interface OfferListProps {
  readonly offers: readonly ContextOffer[];
  readonly active: number;
  readonly label: string;
  readonly onChoose: (offer: ContextOffer) => void;
}

function OfferList({ offers, active, label, onChoose }: OfferListProps): VNode {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [active, offers]);
  return (
    <ul ref={list} id={listId} class="offer-list" role="listbox" aria-label={label}>
      {offers.map((offer, index) => (
        <li
          // Two files may give a prompt one name.
          key={`${offer.id} ${offer.description}`}
          id={`${listId}-${index}`}
          role="option"
          aria-selected={index === active}
          class="offer"
          onClick={() => onChoose(offer)}
        >
          <span class="offer-label">{offer.label}</span>
          <span class="offer-description" title={offer.description}>
            {offer.description}
          </span>
        </li>
      ))}
    </ul>
  );
}
