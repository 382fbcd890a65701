import type { RefObject, TargetedKeyboardEvent, VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Attachment } from "../../chat/transcript/attachments.ts";
import type { ChatHeader, FromWebview } from "../../chat/page/protocol.ts";
import type { Turn } from "../../chat/transcript/transcript.ts";
import { styleFacts } from "../../protocol/conversation/wireStyle.ts";
import { AttachmentList } from "./attachmentList.tsx";
import { billableHints, IconButton } from "../controls/buttons.tsx";
import { type IconName, Icon } from "../controls/icons.tsx";
import { arrowDirection, isSendKey } from "../controls/keys.ts";
import { Meter } from "./meter.tsx";
import { usePage } from "../context/pageContext.ts";
import { useOfferPicker } from "./offerPicker.tsx";
import { useRefusal } from "./useRefusal.ts";
import { useTransfers } from "./transfers.ts";

/** Milliseconds in which a press of Send may have been meant for Stop, which stood in its place. */
const stopPressTime = 500;

/** What may be asked of the composer. */
export interface ComposerHandle {
  readonly focus: () => void;
  /** Takes a text back that could not be sent, behind what was typed since. */
  readonly restore: (text: string) => void;
}

interface ComposerProps {
  readonly header: ChatHeader;
  readonly arrives: boolean;
  /** What was asked on the branch on the screen, oldest first. */
  readonly questions: () => readonly string[];
  /** What was typed before; taken up where nothing is typed. */
  readonly draft: string;
  /** What goes along with the question. */
  readonly attachments: readonly Attachment[];
  /** Sent ahead of it all. */
  readonly instructions: readonly Attachment[];
  /** The branch on the screen. */
  readonly turns: readonly Turn[];
  readonly box: RefObject<HTMLTextAreaElement | null>;
  /** Set to the composer's way to take a text back. */
  readonly restore: RefObject<ComposerHandle["restore"] | null>;
}

/** The box for a question, with what goes along with it, and the row below that says where it goes. */
export function Composer(props: ComposerProps): VNode {
  const { header, arrives, questions, draft, attachments, instructions, turns, box, restore } = props;
  const { model, t, focusComposer } = usePage();
  const [text, setText] = useState(draft);
  useEffect(() => setText((typed) => (typed === "" ? draft : typed)), [draft]);
  // Two texts may come back before the next render.
  const latest = useRef(text);
  latest.current = text;
  const { note, forget, refuses } = useRefusal();
  const mayMeanStop = useStopGracePeriod(arrives);
  const transfers = useTransfers();
  const put = (typed: string): void => {
    // Enter has ended another text, which waits for what is being read.
    transfers.pending.forget();
    latest.current = typed;
    setText(typed);
    model.saveDraft(typed);
  };
  const type = (typed: string): void => {
    forget();
    put(typed);
  };
  restore.current = (returned) => {
    // A page that has just begun may have it by the draft it began with.
    const { current } = latest;
    if (!current.endsWith(returned)) put(current.trim() === "" ? returned : `${current}\n\n${returned}`);
  };
  const sendLatest = useRef<() => void>(() => undefined);
  useFocusAfterConnection(header.connection !== null, focusComposer);
  const picker = useOfferPicker(box, type, () => sendLatest.current());
  const send = (): void => {
    if (text.trim() === "") return;
    // What was dropped or pasted before goes along.
    if (transfers.pending.delays(() => sendLatest.current()) || refuses(text)) return;
    if (header.connection === null) {
      // Nothing can be sent yet; what was typed stays. With none to choose from, one can be added.
      model.post({ type: "choose", what: "connection" });
      return;
    }
    // What was asked for the list may still be on its way.
    picker.reset();
    model.send(text);
    setText("");
    focusComposer();
  };
  sendLatest.current = send;
  const recall = useRef(new Recall());
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLTextAreaElement>): void => {
    if (picker.consumeKey(event)) return;
    if (isSendKey(event)) {
      event.preventDefault();
      send();
      return;
    }
    const direction = arrowDirection(event);
    const recalled = direction && recall.current.step(direction, text, questions());
    if (recalled !== undefined) {
      event.preventDefault();
      type(recalled);
    }
  };
  // One element for both, which keeps the focus that it has.
  const end: EndButton = arrives
    ? {
        icon: "stop",
        name: t("Stop"),
        hints: { title: t("Stop (Escape)") },
        onClick: () => {
          model.post({ type: "stop" });
          focusComposer();
        },
      }
    : {
        icon: "send",
        name: t("Send"),
        hints: billableHints(t("Send (Enter)"), t),
        disabled: mayMeanStop || text.trim() === "",
        onClick: () => {
          if (!mayMeanStop) send();
        },
      };
  return (
    <section class="composer-area">
      <div class={transfers.isOver ? "composer drop-target" : "composer"}>
        {/* Stays for as long as it is so. */}
        <ComposerNote
          text={
            header.unencryptedHost &&
            t("Not encrypted: others can read the traffic to {0}", header.unencryptedHost)
          }
        />
        <ComposerNote text={note} />
        {picker.list}
        <AttachmentList attachments={attachments} charactersPerToken={header.room.charactersPerToken} />
        {transfers.pasted !== undefined && (
          <PasteOffer pasted={transfers.pasted} text={text} type={type} onDone={transfers.forgetPasted} />
        )}
        <textarea
          ref={box}
          dir="auto"
          rows={2}
          aria-label={t("Message")}
          placeholder={t("Ask a question. # adds context, / runs prompts.")}
          value={text}
          {...picker.attributes}
          onInput={(event) => {
            type(event.currentTarget.value);
            picker.follow();
          }}
          onBlur={picker.close}
          onPaste={transfers.onPaste}
          onKeyDown={onKeyDown}
        />
        <div class="composer-row">
          <IconButton
            name={t("Attach Context")}
            icon="attach"
            onClick={() => model.post({ type: "context", request: { type: "choose" } })}
          />
          <Choice what="model" name={t("Model: {0}", header.model)} shown={header.model} />
          <button
            type="button"
            class="primary send"
            aria-label={end.name}
            {...end.hints}
            aria-disabled={end.disabled}
            onClick={end.onClick}
          >
            <Icon name={end.icon} />
          </button>
        </div>
      </div>
      <div class="composer-below">
        <Destination header={header} />
        {/* Without a connection there is no model to measure for. */}
        {header.connection !== null && (
          <Meter
            turns={turns}
            draft={text}
            attachments={attachments}
            instructions={instructions}
            room={header.room}
          />
        )}
      </div>
    </section>
  );
}

/** Whether an answer arrives, or did until a moment ago. */
function useStopGracePeriod(arrives: boolean): boolean {
  const [mayMeanStop, setMayMeanStop] = useState(arrives);
  useEffect(() => {
    const timer = setTimeout(setMayMeanStop, arrives ? 0 : stopPressTime, arrives);
    return () => clearTimeout(timer);
  }, [arrives]);
  return mayMeanStop;
}

interface EndButton {
  readonly icon: IconName;
  readonly name: string;
  readonly hints: Readonly<Record<string, string>>;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

interface ChoiceProps {
  readonly what: Extract<FromWebview, { type: "choose" }>["what"];
  /** What is chosen, with its kind; for a screen reader, and in full where the label is cut. */
  readonly name: string;
  readonly shown: string;
}

/** Shows what is chosen, and leads to VS Code's list of what else can be. */
function Choice({ what, name, shown }: ChoiceProps): VNode {
  const { model } = usePage();
  return (
    <button
      type="button"
      class={`choice choice-${what}`}
      aria-label={name}
      title={name}
      onClick={() => model.post({ type: "choose", what })}
    >
      {what === "connection" && <Icon name="connection" />}
      <span class="choice-text">{shown}</span>
    </button>
  );
}

/** Where a question goes, and in which client style. */
function Destination({ header }: { readonly header: ChatHeader }): VNode {
  const { t } = usePage();
  const connection = t("Connection: {0}", header.connection ?? t("none"));
  const style = styleFacts[header.clientStyle].title(t);
  return (
    <>
      {/* "none" alone would not say of what. */}
      <Choice what="connection" name={connection} shown={header.connection ?? connection} />
      <Choice what="client-style" name={t("Client style: {0}", style)} shown={style} />
    </>
  );
}

/** Stands above what is typed, and says what is to be known before it is sent. */
export function ComposerNote({ text }: { readonly text: string | undefined }): VNode | null {
  if (text === undefined) return null;
  return (
    <p class="composer-note" role="note">
      <Icon name="failure" />
      <span>{text}</span>
    </p>
  );
}

interface PasteOfferProps {
  /** The text that was pasted. */
  readonly pasted: string;
  /** What stands in the composer now. */
  readonly text: string;
  readonly type: (text: string) => void;
  readonly onDone: () => void;
}

/** Offers to attach a long pasted text, as long as it stands in the composer. */
function PasteOffer({ pasted, text, type, onDone }: PasteOfferProps): VNode | null {
  const { model, t, focusComposer } = usePage();
  // A text box knows one kind of line end.
  const shown = pasted.replaceAll(/\r\n?/g, "\n");
  const start = text.indexOf(shown);
  if (start < 0) return null;
  const attach = (): void => {
    type(text.slice(0, start) + text.slice(start + shown.length));
    model.post({ type: "context", request: { type: "attach-text", text: pasted } });
    onDone();
    focusComposer();
  };
  return (
    <div class="paste-offer" role="status">
      <span>{t("You pasted a long text.")}</span>
      <button type="button" class="link-button" onClick={attach}>
        {t("Attach Instead")}
      </button>
      <IconButton
        name={t("Keep as Text")}
        icon="close"
        onClick={() => {
          onDone();
          focusComposer();
        }}
      />
    </div>
  );
}

/** Goes back through the questions that were asked, as a shell goes through its lines. */
class Recall {
  #questions: readonly string[] = [];
  /** Place in the questions; their number while none is recalled. */
  #place = 0;
  #recalled: string | undefined;

  /**
   * The text to show for an arrow key, or undefined where the key is the box's own: something else is
   * typed, or there is nothing further.
   */
  step(direction: "up" | "down", typed: string, questions: readonly string[]): string | undefined {
    if (typed === "") {
      this.#questions = questions;
      this.#place = questions.length;
    } else if (typed !== this.#recalled) {
      return undefined;
    }
    const place = this.#place + (direction === "up" ? -1 : 1);
    if (place < 0 || place > this.#questions.length || (typed === "" && direction === "down"))
      return undefined;
    this.#place = place;
    this.#recalled = this.#questions[place] ?? "";
    return this.#recalled;
  }
}

/** The button that led to the first connection goes away with it: whoever comes back goes on in the composer. */
function useFocusAfterConnection(isConnected: boolean, focusComposer: () => void): void {
  const wasConnected = useRef(isConnected);
  useEffect(() => {
    const isFirst = isConnected && !wasConnected.current;
    wasConnected.current = isConnected;
    if (!isFirst) return undefined;
    const takeFocus = (): void => {
      if (document.activeElement === document.body) focusComposer();
    };
    if (document.hasFocus()) {
      takeFocus();
      return undefined;
    }
    window.addEventListener("focus", takeFocus, { once: true });
    return () => window.removeEventListener("focus", takeFocus);
  }, [isConnected, focusComposer]);
}
