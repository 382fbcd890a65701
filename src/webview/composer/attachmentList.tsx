import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import { type Attachment, isPdf } from "../../chat/transcript/attachments.ts";
import { trimmedTokens } from "../../chat/page/protocol.ts";
import { estimateAttachment } from "../../chat/session/tokenEstimate.ts";
import { Icon } from "../controls/icons.tsx";
import { usePage } from "../context/pageContext.ts";
import { numberText, tokenText } from "../controls/numberText.ts";

interface AttachmentListProps {
  readonly attachments: readonly Attachment[];
  readonly charactersPerToken: number;
  /** The question the attachments were sent with; absent in the composer, whose list can be edited. */
  readonly turnId?: string;
  /** The accessible name of the list; defaults to "Attachments". */
  readonly label?: string;
}

/** The attachments of a question, with buttons to open them and, in the composer, to trim and remove them. */
export function AttachmentList(props: AttachmentListProps): VNode | null {
  const { t, focusComposer } = usePage();
  const list = useRef<HTMLUListElement>(null);
  if (props.attachments.length === 0) return null;
  const focusNext = (removed: number): void => {
    // Focus the next row or else the previous one, or the composer if no row is left.
    const rows = list.current?.querySelectorAll<HTMLElement>(".attachment-open") ?? [];
    const next = rows[removed + 1] ?? rows[removed - 1];
    if (next === undefined) focusComposer();
    else next.focus();
  };
  return (
    <ul ref={list} class="attachments" role="list" aria-label={props.label ?? t("Attachments")}>
      {props.attachments.map((attachment, index) => (
        <AttachmentItem
          key={attachment.id}
          {...props}
          attachment={attachment}
          onRemove={() => focusNext(index)}
        />
      ))}
    </ul>
  );
}

interface AttachmentItemProps extends AttachmentListProps {
  readonly attachment: Attachment;
  readonly onRemove: () => void;
}

function AttachmentItem({ attachment, charactersPerToken, turnId, onRemove }: AttachmentItemProps): VNode {
  const { model, t } = usePage();
  const { id, name, detail, kind, characters, trimmedFrom, guessedEncoding } = attachment;
  const opener = useRef<HTMLButtonElement>(null);
  const tokens = estimateAttachment(attachment, charactersPerToken);
  const isCut = trimmedFrom !== undefined;
  const cut = isCut ? ` (${t("trimmed")})` : "";
  const unknown = isPdf(attachment) ? t("tokens unknown") : undefined;
  const size = unknown ?? t("about {0} tokens", numberText(tokens)) + cut;
  const note = unknown === undefined ? "" : `\n${t("API keys in a PDF file aren't found or removed.")}`;
  const guess = guessedEncoding === undefined ? undefined : t("{0} (guessed)", guessedEncoding);
  const facts = guess === undefined ? size : `${guess}, ${size}`;
  const remove = (): void => {
    onRemove();
    model.post({ type: "context", request: { type: "remove", id } });
    model.announce(t("Removed '{0}'", name));
  };
  const trim = (): void => {
    model.post({ type: "context", request: { type: "trim", id } });
    model.announce(t("Trimmed '{0}'", name));
    // The button disappears when pressed.
    opener.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (turnId !== undefined || (event.key !== "Delete" && event.key !== "Backspace")) return;
    event.preventDefault();
    remove();
  };
  // An image or a PDF file has no characters and cannot be trimmed.
  const isLarge = characters > 0 && tokens > trimmedTokens * 1.05;
  return (
    <li class="attachment" aria-label={name} onKeyDown={onKeyDown}>
      <button
        ref={opener}
        type="button"
        class="attachment-open"
        aria-label={t("Open {0}, {1}", name, facts)}
        title={`${detail}\n${size}${note}`}
        onClick={() =>
          model.post({
            type: "context",
            request: { type: "open", id, ...(turnId === undefined ? {} : { turnId }) },
          })
        }
      >
        <Icon name={kind} />
        <span class="attachment-name">{name}</span>
      </button>
      {guess !== undefined && (
        <span class="attachment-size" aria-hidden="true">
          {guess}
        </span>
      )}
      <span class="attachment-size" aria-hidden="true">
        {unknown ?? `~${tokenText(tokens)}`}
      </span>
      {isCut && (
        <span class="attachment-size attachment-cut" aria-hidden="true">
          {t("trimmed")}
        </span>
      )}
      {turnId === undefined && isLarge && (
        <button type="button" class="attachment-trim" onClick={trim}>
          {t("Trim to {0} tokens", numberText(trimmedTokens))}
        </button>
      )}
      {turnId === undefined && (
        <button
          type="button"
          class="icon-button attachment-remove"
          aria-label={t("Remove '{0}'", name)}
          title={t("Remove (Delete key)")}
          onClick={remove}
        >
          <Icon name="close" />
        </button>
      )}
    </li>
  );
}
