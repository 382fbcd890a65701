import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState, useId } from "preact/hooks";
import type { Sending } from "../../chat/transcript/sentTurns.ts";
import type { QuestionTurn, Turn, QuestionPrompt } from "../../chat/transcript/transcript.ts";
import { AttachmentList } from "../composer/attachmentList.tsx";
import { billableHints, IconButton } from "../controls/buttons.tsx";
import { ComposerNote } from "../composer/composer.tsx";
import { isComposing, isSendKey } from "../controls/keys.ts";
import { usePage } from "../context/pageContext.ts";
import { useRefusal } from "../composer/useRefusal.ts";
import { Versions } from "./versions.tsx";
import { estimateAttachment, estimateTokens } from "../../chat/session/tokenEstimate.ts";
import { numberText } from "../controls/numberText.ts";

interface QuestionArticleProps {
  readonly turn: QuestionTurn;
  readonly versions: readonly Turn[];
  /** Opens the editor with an unsent edit. A new object each time. */
  readonly reopened: object | undefined;
  readonly charactersPerToken: number;
  /** Whether later questions send this one; undefined if they always do. */
  readonly sending: Sending | undefined;
  /** Whether later questions send the answer instead of the messages above. */
  readonly hasSummary: boolean;
}

/** A question with its attachments, or the editor that changes the question. */
export function QuestionArticle(props: QuestionArticleProps): VNode {
  const { turn, versions, reopened, charactersPerToken, sending, hasSummary } = props;
  const { model, t } = usePage();
  // An unsent edit opens again with the page, but without taking the focus.
  const [takesFocus, setTakesFocus] = useState(false);
  const [editedId, setEditedId] = useState(model.editOf(turn.id) === undefined ? undefined : turn.id);
  useEffect(() => {
    // `reopened` stays set after the edit was sent or discarded.
    if (reopened === undefined || model.editOf(turn.id) === undefined) return;
    setTakesFocus(false);
    setEditedId(turn.id);
  }, [reopened, turn.id, model]);
  const isEdited = editedId === turn.id;
  const article = useRef<HTMLElement>(null);
  const edit = (): void => {
    setTakesFocus(true);
    setEditedId(turn.id);
  };
  const leave = (): void => {
    setEditedId(undefined);
    article.current?.focus();
  };
  const cancel = (): void => {
    model.saveDraft("", turn.id);
    leave();
  };
  return (
    <article ref={article} class="turn question" data-turn={turn.id} aria-label={t("You")} tabIndex={-1}>
      {isEdited ? (
        <QuestionEditor
          turn={turn}
          reopened={reopened}
          takesFocus={takesFocus}
          onLeave={leave}
          onCancel={cancel}
          onSent={() => setEditedId(undefined)}
        />
      ) : (
        <>
          <div class="question-text" dir="auto">
            <QuestionText turn={turn} />
          </div>
          <AttachmentList
            attachments={turn.attachments ?? []}
            charactersPerToken={charactersPerToken}
            turnId={turn.id}
          />
          <SentContext turn={turn} charactersPerToken={charactersPerToken} />
          {sending !== undefined && <SendingNote turnId={turn.id} sending={sending} />}
          {hasSummary && (
            <p class="quiet">{t("Later questions send this summary instead of the messages above.")}</p>
          )}
          <div class="turn-actions">
            <Versions turn={turn} versions={versions} />
            <IconButton name={t("Edit")} icon="edit" rests onClick={edit} />
          </div>
        </>
      )}
    </article>
  );
}

/** The question's text, with the name of a prompt highlighted. */
function QuestionText({ turn: { text, prompt } }: { readonly turn: QuestionTurn }): VNode {
  const name = prompt === undefined ? "" : `/${prompt.name}`;
  if (name === "" || !text.startsWith(name)) return <>{text}</>;
  return (
    <>
      <span class="prompt-name">{name}</span>
      {text.slice(name.length)}
    </>
  );
}

interface QuestionEditorProps {
  readonly turn: QuestionTurn;
  readonly reopened: object | undefined;
  readonly takesFocus: boolean;
  /** Closes the editor and keeps the edit for the next time it opens. */
  readonly onLeave: () => void;
  readonly onCancel: () => void;
  readonly onSent: () => void;
}

function QuestionEditor(props: QuestionEditorProps): VNode {
  const { turn, reopened, takesFocus, onLeave, onCancel, onSent } = props;
  const { model, t, focusComposer } = usePage();
  const { note, forget, refuses } = useRefusal();
  const [text, setText] = useState(model.editOf(turn.id) ?? turn.text);
  const box = useRef<HTMLTextAreaElement>(null);
  // Set the caret before the paint. Otherwise it could move while the user is already typing.
  useLayoutEffect(() => {
    if (!takesFocus || box.current === null) return;
    const { length } = box.current.value;
    box.current.focus();
    box.current.setSelectionRange(length, length);
  }, [takesFocus]);
  useEffect(() => {
    if (reopened !== undefined) setText((typed) => model.editOf(turn.id) ?? typed);
  }, [reopened, turn, model]);
  const send = (): void => {
    if (text.trim() === "" || refuses(text)) return;
    model.sendEdit(turn.id, text);
    onSent();
    focusComposer();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isSendKey(event)) {
      event.preventDefault();
      send();
    } else if (event.key === "Escape" && !isComposing(event) && !model.arrives) {
      // While an answer streams, Escape stops the answer instead.
      event.stopPropagation();
      if (text === turn.text || text.trim() === "") onCancel();
      else onLeave();
    }
  };
  return (
    <div class="question-editor">
      <ComposerNote text={note} />
      <textarea
        ref={box}
        dir="auto"
        aria-label={t("Edit question")}
        value={text}
        onInput={(event) => {
          forget();
          setText(event.currentTarget.value);
          model.saveDraft(event.currentTarget.value, turn.id);
        }}
        onKeyDown={onKeyDown}
      />
      <div class="button-row">
        <button type="button" class="secondary" onClick={onCancel}>
          {t("Cancel")}
        </button>
        <button
          type="button"
          class="primary"
          {...billableHints(t("Send"), t)}
          disabled={text.trim() === ""}
          onClick={send}
        >
          {t("Send")}
        </button>
      </div>
    </div>
  );
}

interface SentContextProps {
  readonly turn: QuestionTurn;
  readonly charactersPerToken: number;
}

/** Sent text that the user did not type: the prompt's text and the instructions, collapsed. */
function SentContext({ turn, charactersPerToken }: SentContextProps): VNode | null {
  const { t } = usePage();
  const { prompt, instructions = [] } = turn;
  if (prompt === undefined && instructions.length === 0) return null;
  const names = [
    ...(prompt === undefined ? [] : [t("prompt {0}", `/${prompt.name}`)]),
    ...(instructions.length > 1
      ? [t("{0} instructions", instructions.length)]
      : instructions.map(({ name }) => name)),
  ];
  const tokens = instructions.reduce(
    (sum, each) => sum + estimateAttachment(each, charactersPerToken),
    estimateTokens(prompt?.text.length ?? 0, charactersPerToken),
  );
  return (
    <details class="sent-along">
      <summary>{t("Sent: {0} (about {1} tokens)", names.join(", "), numberText(tokens))}</summary>
      {prompt !== undefined && <PromptText prompt={prompt} />}
      <AttachmentList
        attachments={instructions}
        charactersPerToken={charactersPerToken}
        turnId={turn.id}
        label={t("Instructions")}
      />
    </details>
  );
}

function PromptText({ prompt }: { readonly prompt: QuestionPrompt }): VNode {
  const { model, t } = usePage();
  const { text, place, ignored = [] } = prompt;
  return (
    <>
      {place !== undefined && (
        <button
          type="button"
          class="link-button"
          onClick={() => model.post({ type: "open-file", name: place.path })}
        >
          {place.path}
        </button>
      )}
      <div class="sent-text" dir="auto">
        {text}
      </div>
      {ignored.length > 0 && (
        <p class="quiet">{t("Ignored front matter fields: {0}.", ignored.join(", "))}</p>
      )}
    </>
  );
}

interface SendingNoteProps {
  readonly turnId: string;
  readonly sending: Sending;
}

/** Says whether later questions send this one, whose answer failed, with a button to change that. */
function SendingNote({ turnId, sending }: SendingNoteProps): VNode {
  const { model, t } = usePage();
  const noteId = useId();
  const texts: Readonly<Record<Sending, string>> = {
    "left-out": t("The answer failed, so this question will not be sent with your next questions."),
    included: t("The answer failed, but this question will still be sent with your next questions."),
  };
  const isLeftOut = sending === "left-out";
  const choose = (): void => {
    model.post({ type: "include", turnId, included: isLeftOut });
    model.announce(texts[isLeftOut ? "included" : "left-out"]);
  };
  return (
    <div class="sending">
      <span id={noteId}>{texts[sending]}</span>
      <button type="button" class="link-button" aria-describedby={noteId} onClick={choose}>
        {isLeftOut ? t("Include Question") : t("Leave Out Question")}
      </button>
    </div>
  );
}
