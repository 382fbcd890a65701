import type { RefObject, TargetedKeyboardEvent, VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ContextOffer, FromWebview } from "../../chat/page/protocol.ts";
import { findMention, type Mention, LatestRequestQueue, steadyOffers, textOfTaken } from "./offers.ts";
import { isComposing, isSendKey } from "../controls/keys.ts";
import { usePage } from "../context/pageContext.ts";

const listId = "offers";

/** Connects the composer with the list that `#` and `/` open. */
export interface OfferPicker {
  /** Call it after every change of the text. The picker observes the caret itself. */
  readonly follow: () => void;
  /** Handles a key; returns false if the key belongs to the text box. */
  readonly consumeKey: (event: TargetedKeyboardEvent<HTMLTextAreaElement>) => boolean;
  readonly close: () => void;
  /** Call it when the text is sent: closes the list and forgets the mark dismissed by Escape. */
  readonly reset: () => void;
  /** Attributes of the text box, which keeps the focus. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly list: VNode | null;
}

/** The part of the host's offers that the page shows. */
interface Offered {
  readonly offers: readonly ContextOffer[];
  /** Says what is not offered, and why. */
  readonly note?: string;
}

const nothing: Offered = { offers: [] };

/**
 * A list of attachments or prompts, filtered by the text after the mark. Opens at a `#`, or at a `/` at the start of
 * the text. Calls `send` if Enter came before the offers and there is then nothing to choose.
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
  /** The search whose offers are shown; older than `searchId` until the host answers. */
  const shownId = useRef(0);
  /** Whether the host may still be searching for files. */
  const isFinding = useRef(false);
  /** Enter was pressed before the offers arrived: choose the first offer. */
  const takesFirst = useRef(false);
  const settleLatest = useRef<(found: readonly ContextOffer[]) => void>(() => undefined);
  /** Position of a mark dismissed by Escape. The list does not open again at this mark. */
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
  // A layout effect, so that it runs before the next key. Otherwise that key would apply to outdated offers.
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
  // The caret may leave the mention without a change of the text. A layout effect, so that it runs before the next
  // `selectionchange` event.
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
    const kept = textOfTaken(mention, offer);
    const text = value.slice(0, start) + kept + value.slice(end).replace(kept.endsWith(" ") ? /^ / : "", "");
    const caret = start + kept.length;
    // Change the text box at once, because the next key may come before the next render.
    field.value = text;
    field.setSelectionRange(caret, caret);
    type(text);
    close();
    model.post(chooseRequest(mention.mark, offer.id));
  };
  /** True if the whole name of a prompt is typed. Enter then sends it. */
  const isWholeAmong = (among: readonly ContextOffer[]): boolean =>
    mark === "/" && among.some(({ id }) => id === typed);
  const isWhole = (): boolean =>
    isWholeAmong(shownId.current === searchId.current ? offers.slice(active, active + 1) : offers);
  settleLatest.current = (found) => {
    if (found.length === 0 || isWholeAmong(found)) send();
    else choose(found[0]);
  };
  /** Lets Enter wait for the first offers, so that a half-typed mention is not sent. */
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
        // Otherwise Escape would stop a streaming answer.
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
      // The text box keeps the focus, even when the user scrolls the list.
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
          // Two files may define prompts with the same name.
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
