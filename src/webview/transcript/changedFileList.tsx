import type { VNode } from "preact";
import type { ChangesActionId } from "../../chat/page/protocol.ts";
import { type ChangedFile, changedFiles } from "../../chat/transcript/steps.ts";
import type { AnswerTurn } from "../../chat/transcript/transcript.ts";
import { showInvisible } from "../../text/invisibleCharacters.ts";
import { changesText } from "../announcements/callTexts.ts";
import { usePage } from "../context/pageContext.ts";
import { useFocusFallback } from "./answerNotices.tsx";

/** The files that an ended answer has written, to review, keep or undo. */
export function ChangedFileList({ turn }: { readonly turn: AnswerTurn }): VNode | null {
  const { model, t } = usePage();
  const files = changedFiles(turn.steps ?? []);
  if (files.length === 0) return null;
  const act = (action: ChangesActionId, path?: string): void =>
    model.post({ type: "changes", turnId: turn.id, action, ...(path === undefined ? {} : { path }) });
  const isOpen = turn.changes === undefined;
  return (
    <div class="changes" role="group" aria-label={t("Changed files")}>
      <p>
        {files.length === 1 ? t("Changed 1 file") : t("Changed {0} files", files.length)}
        {turn.changes !== undefined && <strong>{changesText(turn.changes, t)}</strong>}
      </p>
      <ul>
        {files.map((file) => (
          <FileRow
            key={file.path}
            file={file}
            onReview={isOpen ? () => act("review", file.path) : undefined}
          />
        ))}
      </ul>
      {isOpen && <ChangesButtons onPress={act} />}
    </div>
  );
}

function FileRow({
  file: { path, added, removed, isNew },
  onReview,
}: {
  readonly file: ChangedFile;
  /** Undefined once nothing is left to review. */
  readonly onReview: (() => void) | undefined;
}): VNode {
  const { t } = usePage();
  const shown = showInvisible(path);
  const nameStart = shown.lastIndexOf("/") + 1;
  const name = (
    <>
      {nameStart > 0 && <span class="quiet">{shown.slice(0, nameStart)}</span>}
      <span>{shown.slice(nameStart)}</span>
    </>
  );
  return (
    <li>
      {onReview === undefined ? (
        <span class="changed-file" title={shown}>
          {name}
        </span>
      ) : (
        <button
          type="button"
          class="link-button changed-file"
          title={shown}
          aria-label={t("Review '{0}'", shown)}
          onClick={onReview}
        >
          {name}
        </button>
      )}
      {isNew && <span class="quiet">{t("new")}</span>}
      <ins>+{added}</ins>
      <del>−{removed}</del>
    </li>
  );
}

/** Keep and Undo disappear when pressed. */
function ChangesButtons({ onPress }: { readonly onPress: (action: ChangesActionId) => void }): VNode {
  const { t } = usePage();
  return (
    <div ref={useFocusFallback()} class="button-row">
      <button type="button" class="secondary" onClick={() => onPress("review")}>
        {t("Review")}
      </button>
      <button type="button" class="secondary" onClick={() => onPress("keep")}>
        {t("Keep")}
      </button>
      <button type="button" class="secondary" onClick={() => onPress("undo")}>
        {t("Undo")}
      </button>
    </div>
  );
}
