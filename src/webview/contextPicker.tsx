import type { RefObject, TargetedKeyboardEvent, VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ContextOffer } from "../chat/contextProtocol.ts";
import { findMention, type Mention } from "./mention.ts";
import { isComposing } from "./keys.ts";
import { usePage } from "./pageContext.ts";

/** Milliseconds without a key before the host is asked. */
const quietTime = 80;
const listId = "context-offers";

/** What the composer needs of the list behind `#`. */
export interface ContextPicker {
  /** To be called after every change of the text or of the caret. */
  readonly follow: () => void;
  /** Whether the key was the list's. */
  readonly takeKey: (event: TargetedKeyboardEvent<HTMLTextAreaElement>) => boolean;
  readonly close: () => void;
  /** For the text box, which keeps the focus. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly list: VNode | null;
}

/** A list of what can be attached, which opens at a `#` in the text and is filtered by what follows it. */
export function useContextPicker(
  box: RefObject<HTMLTextAreaElement | null>,
  type: (text: string) => void,
): ContextPicker {
  const { model, t } = usePage();
  const [mention, setMention] = useState<Mention>();
  const [offers, setOffers] = useState<readonly ContextOffer[]>([]);
  const [active, setActive] = useState(0);
  const searchId = useRef(0);
  /** The search whose offers are shown; behind what is typed until the host has answered. */
  const shownId = useRef(0);
  /** Enter came before the offers for what was typed: the first of them is meant. */
  const takesFirst = useRef(false);
  const chooseLatest = useRef<(offer: ContextOffer | undefined) => void>(() => undefined);
  /** The place of a `#` that was left by Escape, which does not open the list again. */
  const dismissed = useRef<number>(undefined);
  const typed = mention?.typed;
  useEffect(
    () =>
      model.listenToOffers((id, found) => {
        if (id !== searchId.current) return;
        shownId.current = id;
        setOffers(found);
        setActive((before) => Math.min(before, Math.max(0, found.length - 1)));
        if (takesFirst.current) chooseLatest.current(found[0]);
        takesFirst.current = false;
      }),
    [model],
  );
  useEffect(() => {
    searchId.current += 1;
    takesFirst.current = false;
    if (typed === undefined) {
      setOffers([]);
      return undefined;
    }
    const id = searchId.current;
    const timer = window.setTimeout(
      () => model.post({ type: "context", request: { type: "find", searchId: id, typed } }),
      quietTime,
    );
    return () => window.clearTimeout(timer);
  }, [model, typed]);
  const isOpen = mention !== undefined && offers.length > 0;
  const close = (): void => setMention(undefined);
  const follow = (): void => {
    const found = box.current === null ? undefined : findMention(box.current);
    if (found === undefined) dismissed.current = undefined;
    if (found?.start === dismissed.current) return close();
    setMention(found);
    if (found?.typed !== typed) setActive(0);
  };
  const choose = (offer: ContextOffer | undefined): void => {
    const field = box.current;
    if (offer === undefined || mention === undefined || field === null) return;
    const { value } = field;
    type(value.slice(0, mention.start) + value.slice(mention.end));
    const { start } = mention;
    close();
    // Once the shorter text is in the box.
    window.requestAnimationFrame(() => field.setSelectionRange(start, start));
    model.post({ type: "context", request: { type: "attach", offerId: offer.id } });
  };
  chooseLatest.current = choose;
  const takeKey = (event: TargetedKeyboardEvent<HTMLTextAreaElement>): boolean => {
    if (!isOpen || isComposing(event)) return false;
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
  const list = isOpen ? (
    <OfferList offers={offers} active={active} label={t("Attach Context")} onChoose={choose} />
  ) : null;
  return { follow, takeKey, close, attributes, list };
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
    <ul ref={list} id={listId} class="offers" role="listbox" aria-label={label}>
      {offers.map((offer, index) => (
        <li
          key={offer.id}
          id={`${listId}-${index}`}
          role="option"
          aria-selected={index === active}
          class="offer"
          // The text box keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(offer)}
        >
          <span class="offer-label">{offer.label}</span>
          <span class="offer-description">{offer.description}</span>
        </li>
      ))}
    </ul>
  );
}
