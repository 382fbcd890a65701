import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { QuestionTurn, Turn } from "../chat/transcript.ts";
import { AttachmentList } from "./attachmentList.tsx";
import { billableHints } from "./billable.ts";
import { IconButton } from "./icons.tsx";
import { isSendKey } from "./keys.ts";
import { usePage } from "./pageContext.ts";
import { SentAlong } from "./sentAlong.tsx";
import { Versions } from "./versions.tsx";

export interface QuestionArticleProps {
  readonly turn: QuestionTurn;
  readonly versions: readonly Turn[];
  readonly locked: boolean;
  readonly charactersPerToken: number;
}

export function QuestionArticle({ turn, versions, locked, charactersPerToken }: QuestionArticleProps): VNode {
  const { model, t } = usePage();
  // What was being typed when the page was last here is there again.
  const [editedId, setEditedId] = useState(model.editOf(turn.id) === undefined ? undefined : turn.id);
  const isEdited = editedId === turn.id;
  const article = useRef<HTMLElement>(null);
  const close = (): void => {
    model.keepDraft("", turn.id);
    setEditedId(undefined);
    article.current?.focus();
  };
  return (
    <article ref={article} class="turn question" aria-label={t("You")} tabIndex={-1}>
      {isEdited ? (
        <QuestionEditor turn={turn} onClose={close} />
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
          <SentAlong turn={turn} charactersPerToken={charactersPerToken} />
          <div class="turn-actions">
            <Versions turn={turn} versions={versions} locked={locked} />
            <IconButton name={t("Edit")} icon="edit" disabled={locked} onClick={() => setEditedId(turn.id)} />
          </div>
        </>
      )}
    </article>
  );
}

/** What was typed, a prompt's name set off. */
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
  readonly onClose: () => void;
}

function QuestionEditor({ turn, onClose }: QuestionEditorProps): VNode {
  const { model, t, focusComposer } = usePage();
  const [text, setText] = useState(model.editOf(turn.id) ?? turn.text);
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // One that comes back by itself takes the focus from nobody.
    if (model.editOf(turn.id) !== undefined) return;
    box.current?.focus();
    box.current?.setSelectionRange(turn.text.length, turn.text.length);
  }, [turn, model]);
  const send = (): void => {
    if (text.trim() === "" || model.arrives) return;
    model.post({ type: "edit", turnId: turn.id, text });
    onClose();
    focusComposer();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isSendKey(event)) {
      event.preventDefault();
      send();
    } else if (event.key === "Escape" && !event.isComposing) {
      event.stopPropagation();
      onClose();
    }
  };
  return (
    <div class="question-editor">
      <textarea
        ref={box}
        dir="auto"
        aria-label={t("Edit question")}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          model.keepDraft(event.currentTarget.value, turn.id);
        }}
        onKeyDown={onKeyDown}
      />
      <div class="button-row">
        <button type="button" class="secondary" onClick={onClose}>
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
