import type { RefObject, TargetedKeyboardEvent, VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Attachment, isPdf, pdfRefusalText } from "../../chat/transcript/attachments.ts";
import { type ChatHeader, type FromWebview, urlOffer } from "../../chat/page/protocol.ts";
import { isCompactCommand } from "../../chat/prompts/promptCommand.ts";
import { describeObstacle, mendingLabel, type ModeObstacle } from "../../chat/agent/modeObstacle.ts";
import type { ChatMode } from "../../chat/transcript/steps.ts";
import type { Translate } from "../../text/translate.ts";
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
import { type PastedText, useTransfers } from "./transfers.ts";

/** Time in ms after Send has replaced Stop in which a press may still be meant for Stop. */
const stopPressTime = 500;

/** Actions that other parts of the page trigger in the composer. */
export interface ComposerHandle {
  readonly focus: () => void;
  /** Puts an unsent text back, after the text typed since. */
  readonly restore: (text: string) => void;
}

interface ComposerProps {
  readonly header: ChatHeader;
  readonly arrives: boolean;
  /** The questions on the screen's branch, oldest first. */
  readonly questions: () => readonly string[];
  /** The saved draft; used only if the composer is empty. */
  readonly draft: string;
  /** Attachments of the question. */
  readonly attachments: readonly Attachment[];
  /** Files sent as system text, before the conversation. */
  readonly instructions: readonly Attachment[];
  /** The turns of the branch on the screen. */
  readonly turns: readonly Turn[];
  readonly box: RefObject<HTMLTextAreaElement | null>;
  /** Set by the composer to its `restore` function. */
  readonly restore: RefObject<ComposerHandle["restore"] | null>;
}

/** The text box with its attachments, and the row below that shows the connection and client style. */
export function Composer(props: ComposerProps): VNode {
  const { header, arrives, questions, draft, attachments, instructions, turns, box, restore } = props;
  const { model, t, focusComposer } = usePage();
  const [text, setText] = useState(draft);
  useEffect(() => setText((typed) => (typed === "" ? draft : typed)), [draft]);
  // Two texts may be restored before the next render.
  const latest = useRef(text);
  latest.current = text;
  const { note, forget, refuses } = useRefusal(true);
  const mayMeanStop = useStopGracePeriod(arrives);
  const transfers = useTransfers();
  const put = (typed: string): void => {
    // A pending Enter belonged to the previous text.
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
    // A new page may already have this text as its initial draft.
    const { current } = latest;
    if (!current.endsWith(returned)) put(current.trim() === "" ? returned : `${current}\n\n${returned}`);
  };
  const sendLatest = useRef<() => void>(() => undefined);
  useFocusAfterConnection(header.connection !== null, focusComposer);
  const picker = useOfferPicker(box, type, () => sendLatest.current());
  // A summary is requested without the attachments.
  const pdfRefusal = isCompactCommand(text) ? undefined : pdfRefusalOf(header, attachments, t);
  const send = (): void => {
    if (text.trim() === "") return;
    // Wait until dropped or pasted files are attached.
    if (transfers.pending.delays(() => sendLatest.current()) || refuses(text)) return;
    if (pdfRefusal !== undefined) {
      model.announce(pdfRefusal);
      return;
    }
    if (header.connection === null) {
      // The text cannot be sent yet and stays. The host offers to add a connection if there is none to select.
      model.post({ type: "choose", what: "connection" });
      return;
    }
    // Offers for the sent text may still arrive.
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
  // Send and Stop share one element, so that the focus stays on it.
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
        {/* Shown for as long as the connection is not encrypted. */}
        <ComposerNote
          text={
            header.unencryptedHost &&
            t("Not encrypted: others can read the traffic to {0}", header.unencryptedHost)
          }
        />
        {header.isGone === true && <GoneNote connection={header.connection ?? ""} />}
        {header.obstacle !== undefined && <ModeNote mode={header.mode} obstacle={header.obstacle} />}
        {pdfRefusal !== undefined && <PdfNote text={pdfRefusal} takesPdf={header.room.takesPdf} />}
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
          placeholder={t("Ask a question. Type # for context, / for prompts.")}
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
          {header.connection !== null && <ModeChoice mode={header.mode} />}
          <Choice what="model" name={t("Model: {0}", header.model)} shown={header.model} />
          {header.effort !== undefined && (
            <Choice what="effort" name={t("Effort: {0}", header.effort)} shown={header.effort} />
          )}
          {arrives && model.takesMessages && text.trim() !== "" && <QueueButton onClick={send} />}
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
        {/* The meter needs a model, which comes with a connection. */}
        {header.connection !== null && header.isGone !== true && (
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

/** Sends the text to the streaming answer. Stands beside Stop, which keeps its place. */
function QueueButton({ onClick }: { readonly onClick: () => void }): VNode {
  const { t, focusComposer } = usePage();
  const button = useRef<HTMLButtonElement>(null);
  // The answer may end while the button has the focus.
  useLayoutEffect(
    () => () => {
      if (document.hasFocus() && document.activeElement === button.current) focusComposer();
    },
    [],
  );
  return (
    <button
      ref={button}
      type="button"
      class="primary send"
      aria-label={t("Send")}
      title={t("Send (Enter)")}
      onClick={onClick}
    >
      <Icon name="send" />
    </button>
  );
}

/** True while an answer streams and for `stopPressTime` after it. */
function useStopGracePeriod(arrives: boolean): boolean {
  const [mayMeanStop, setMayMeanStop] = useState(arrives);
  useEffect(() => {
    const timer = setTimeout(setMayMeanStop, arrives ? 0 : stopPressTime, arrives);
    return () => clearTimeout(timer);
  }, [arrives]);
  return mayMeanStop;
}

function ModeChoice({ mode }: { readonly mode: ChatMode }): VNode {
  const { t } = usePage();
  const title = modeTitle(mode, t);
  return <Choice what="mode" name={t("Mode: {0}", title)} shown={title} />;
}

/** The names match those in VS Code's list of modes. */
function modeTitle(mode: ChatMode, t: Translate): string {
  switch (mode) {
    case "ask":
      return t("Ask");
    case "plan":
      return t("Plan");
    case "agent":
      return t("Agent");
  }
}

interface NoteAction {
  readonly label: string;
  readonly act: () => void;
}

/** A note above the text box that names what is in the way, with buttons that remove it. */
function ActionNote({
  text,
  actions,
}: {
  readonly text: string;
  readonly actions: readonly NoteAction[];
}): VNode {
  return (
    <div class="composer-note" role="note">
      <Icon name="failure" />
      <div>
        <span>{text}</span>
        <div class="composer-note-actions">
          {actions.map(({ label, act }) => (
            <button key={label} type="button" class="link-button" onClick={act}>
              {label}
            </button>
          ))}
        </div>
      </div>
    </div>
  );
}

/** Says before sending why the mode cannot be used, with two ways out. */
function ModeNote({ mode, obstacle }: { readonly mode: ChatMode; readonly obstacle: ModeObstacle }): VNode {
  const { model, t, focusComposer } = usePage();
  const ask = (): void => {
    model.post({ type: "mend-mode", by: "asking" });
    // The button disappears when pressed.
    focusComposer();
  };
  return (
    <ActionNote
      text={describeObstacle(obstacle, modeTitle(mode, t), t)}
      actions={[
        {
          label: mendingLabel(obstacle, t),
          act: () => model.post({ type: "mend-mode", by: "removing" }),
        },
        { label: t("Use Ask Mode"), act: ask },
      ]}
    />
  );
}

/** Says that the chat's connection no longer exists, with one way out. */
function GoneNote({ connection }: { readonly connection: string }): VNode {
  const { model, t } = usePage();
  return (
    <ActionNote
      text={t(
        "This chat used the connection '{0}', which was removed or renamed. Select another to continue.",
        connection,
      )}
      actions={[
        {
          label: t("Select Connection..."),
          act: () => model.post({ type: "choose", what: "connection" }),
        },
      ]}
    />
  );
}

/** Why the question with these attachments cannot be sent; undefined if it can. */
function pdfRefusalOf(
  header: ChatHeader,
  attachments: readonly Attachment[],
  t: Translate,
): string | undefined {
  const { takesPdf } = header.room;
  const isAsked = header.connection !== null && header.isGone !== true;
  return !isAsked || takesPdf === true || !attachments.some(isPdf)
    ? undefined
    : pdfRefusalText(header, takesPdf, t);
}

/** Says that a PDF file keeps the question from being sent. A model that refused one needs no further test. */
function PdfNote({
  text,
  takesPdf,
}: {
  readonly text: string;
  readonly takesPdf: boolean | undefined;
}): VNode {
  const { model, t } = usePage();
  const verify = { label: t("Verify Compatibility..."), act: () => model.post({ type: "verify-pdf" }) };
  const select = { label: t("Select Model"), act: () => model.post({ type: "choose", what: "model" }) };
  return <ActionNote text={text} actions={takesPdf === undefined ? [verify, select] : [select]} />;
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
  /** The kind and the selected value: the accessible name and the tooltip of the shortened label. */
  readonly name: string;
  readonly shown: string;
}

/** Shows the selected value and opens VS Code's list of alternatives. */
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
      {(what === "connection" || what === "effort") && <Icon name={what} />}
      <span class="choice-text">{shown}</span>
    </button>
  );
}

/** Shows the connection and client style of the next question. */
function Destination({ header }: { readonly header: ChatHeader }): VNode {
  const { t } = usePage();
  const connection = t("Connection: {0}", header.connection ?? t("none"));
  const style = styleFacts[header.clientStyle].title(t);
  return (
    <>
      {/* Without its kind, the label "none" would be unclear. */}
      <Choice what="connection" name={connection} shown={header.connection ?? connection} />
      <Choice what="client-style" name={t("Client style: {0}", style)} shown={style} />
    </>
  );
}

/** A note above the text box that the user needs before sending. */
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
  readonly pasted: PastedText;
  /** The current text of the composer. */
  readonly text: string;
  readonly type: (text: string) => void;
  readonly onDone: () => void;
}

/** Offers to attach a long pasted text, or the page at a pasted URL, while the composer still contains it. */
function PasteOffer({ pasted, text, type, onDone }: PasteOfferProps): VNode | null {
  const { model, t, focusComposer } = usePage();
  // A text box converts all line breaks to line feeds.
  const shown = pasted.text.replaceAll(/\r\n?/g, "\n");
  const start = text.indexOf(shown);
  if (start < 0) return null;
  const isUrl = pasted.kind === "url";
  const attach = (): void => {
    if (isUrl) {
      // The URL stays in the text, because the sentence may need it.
      const offerId = `${urlOffer}${pasted.text}`;
      model.post({ type: "context", request: { type: "attach", offerId } });
    } else {
      type(text.slice(0, start) + text.slice(start + shown.length));
      model.post({ type: "context", request: { type: "attach-text", text: pasted.text } });
    }
    onDone();
    focusComposer();
  };
  return (
    <div class="paste-offer" role="status">
      <span>{isUrl ? t("You pasted a URL.") : t("You pasted a long text.")}</span>
      <button type="button" class="link-button" onClick={attach}>
        {isUrl ? t("Attach Page") : t("Attach Instead")}
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

/** Steps through earlier questions, like the history of a shell. */
class Recall {
  #questions: readonly string[] = [];
  /** Index of the recalled question; the number of questions while none is recalled. */
  #place = 0;
  #recalled: string | undefined;

  /**
   * The text to show after an arrow key; undefined if the text box handles the key itself. The text box handles the key
   * if it contains other text or if there is no further question.
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

/**
 * Moves the focus to the composer after the first connection was added. The button that had the focus is removed then.
 */
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
