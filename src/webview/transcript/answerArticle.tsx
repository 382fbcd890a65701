import type { VNode } from "preact";
import { useLayoutEffect, useRef, useEffect, useMemo, useState } from "preact/hooks";
import type { AnswerTurn, Turn } from "../../chat/transcript/transcript.ts";
import { styleFacts } from "../../protocol/conversation/wireStyle.ts";
import { answerNotice, cutOf } from "../announcements/answerTexts.ts";
import { billableHints, CopyButton, IconButton } from "../controls/buttons.tsx";
import { isArriving, type AnswerField } from "../model/answerViews.ts";
import { RetryNotice, SilenceNotice, FailureAlert, offeredByAlert } from "./answerNotices.tsx";
import { omittedText } from "../composer/meter.tsx";
import { pageLanguage } from "../controls/numberText.ts";
import { usePage } from "../context/pageContext.ts";
import { convertUsageToText } from "../../chat/transcript/usage.ts";
import { Versions } from "./versions.tsx";
import { SeveralFilesSearch } from "../../chat/code/answerFiles.ts";

interface AnswerArticleProps {
  readonly turn: AnswerTurn;
  readonly versions: readonly Turn[];
  /** Whether this is the last turn on the screen. */
  readonly last: boolean;
}

/** An answer with its reasoning, notices, failure and actions, while it streams and afterwards. */
export function AnswerArticle({ turn, versions, last }: AnswerArticleProps): VNode {
  const { t } = usePage();
  const arrives = isArriving(turn);
  const cut = last ? cutOf(turn) : undefined;
  const notice = answerNotice(turn, { t, language: pageLanguage() });
  return (
    <article
      class={arrives ? "turn answer arriving" : "turn answer"}
      data-turn={turn.id}
      aria-label={t("Assistant")}
      aria-busy={arrives}
      tabIndex={-1}
    >
      {turn.reasoning !== "" && (
        <details class="reasoning">
          <summary>{t("Reasoning")}</summary>
          <AnswerText turn={turn} field="reasoning" />
        </details>
      )}
      {turn.state.kind === "waiting" && turn.silentSeconds === undefined && (
        <p class="waiting">{t("Waiting for the answer...")}</p>
      )}
      {turn.state.kind === "retrying" && <RetryNotice state={turn.state} />}
      <AnswerText turn={turn} field="text" />
      {turn.silentSeconds !== undefined && <SilenceNotice turn={turn} seconds={turn.silentSeconds} />}
      {turn.leftOut !== undefined && <p class="notice left-out">{omittedText(turn.leftOut, t)}</p>}
      {notice !== undefined && <p class="notice">{notice}</p>}
      {cut === "in-text" && <ContinueRow />}
      {cut === "before-text" && <LimitRow />}
      {turn.state.kind === "failed" && <FailureAlert turn={turn} diagnosis={turn.state.diagnosis} />}
      {!arrives && <AnswerFooter turn={turn} versions={versions} />}
    </article>
  );
}

function ContinueRow(): VNode {
  const { model, t, focusComposer } = usePage();
  const name = t("Continue");
  const press = (): void => {
    model.post({ type: "continue" });
    // The button disappears when pressed.
    focusComposer();
  };
  return (
    <div class="button-row">
      <button type="button" class="secondary" {...billableHints(name, t)} onClick={press}>
        {name}
      </button>
    </div>
  );
}

/** Replaces Continue if the token limit left no text to continue from. */
function LimitRow(): VNode {
  const { model, t } = usePage();
  return (
    <div class="button-row">
      <button type="button" class="secondary" onClick={() => model.post({ type: "open-limit" })}>
        {t("Change Token Limit")}
      </button>
    </div>
  );
}

function AnswerFooter({ turn, versions }: Pick<AnswerArticleProps, "turn" | "versions">): VNode {
  const { model, t, focusComposer } = usePage();
  const { state } = turn;
  const appliesToFiles = useSeveralFiles(turn.text);
  // The failure alert may offer the same action more prominently.
  const offered = state.kind === "failed" ? offeredByAlert(state.diagnosis) : undefined;
  const retry = (): void => {
    model.post({ type: "retry", turnId: turn.id });
    focusComposer();
  };
  return (
    <div class="answer-footer">
      <div class="turn-actions">
        {turn.text !== "" && <CopyButton text={turn.text} />}
        {offered?.retry !== true && (
          <IconButton name={t("Retry")} icon="retry" rests isBillable onClick={retry} />
        )}
        {offered?.retryWith !== true && (
          <IconButton
            name={t("Ask Again With...")}
            icon="retryWith"
            rests
            isBillable
            onClick={() => model.post({ type: "retry-with", turnId: turn.id })}
          />
        )}
        {appliesToFiles && (
          <IconButton
            name={t("Apply to Files")}
            icon="apply"
            onClick={() => model.post({ type: "apply-answer", turnId: turn.id })}
          />
        )}
        <Versions turn={turn} versions={versions} />
      </div>
      <div class="answer-facts">
        <span class="answer-model">{t("{0} · {1}", turn.model, styleFacts[turn.clientStyle].title(t))}</span>
        {(state.kind !== "failed" || turn.usage !== undefined) && (
          <span role="status" aria-label={t("Usage")}>
            {convertUsageToText(turn.usage, turn.price, state.kind === "complete", {
              t,
              language: pageLanguage(),
            })}
          </span>
        )}
      </div>
    </div>
  );
}

/** Shows text drawn outside of the component tree, so that a render does not draw it again. */
function AnswerText({ turn, field }: { readonly turn: AnswerTurn; readonly field: AnswerField }): VNode {
  const { model } = usePage();
  const frame = useRef<HTMLDivElement>(null);
  const element = model.views.elementOf(turn.id, field);
  useLayoutEffect(() => {
    frame.current?.replaceChildren(...(element === undefined ? [] : [element]));
  }, [element]);
  return <div ref={frame} />;
}

/** Time in ms that the search may take per frame. */
const timeInFrame = 3;

/**
 * Whether an answer has code for more than one file. The result is usually known at once. A long answer is searched
 * over several frames; the result is false until then.
 */
function useSeveralFiles(answer: string): boolean {
  const search = useMemo(() => startSearch(answer), [answer]);
  const [found, setFound] = useState<Search>();
  useEffect(() => {
    if (search.atOnce !== undefined) return undefined;
    let frame = window.requestAnimationFrame(readOn);
    function readOn(): void {
      const names = search.files.readOn(timer());
      if (names === undefined) frame = window.requestAnimationFrame(readOn);
      else if (names) setFound(search);
    }
    return () => window.cancelAnimationFrame(frame);
  }, [search]);
  return search.atOnce ?? found === search;
}

interface Search {
  readonly files: SeveralFilesSearch;
  /** The result of the first frame; undefined if the search takes longer. */
  readonly atOnce: boolean | undefined;
}

function startSearch(answer: string): Search {
  const files = new SeveralFilesSearch(answer);
  return { files, atOnce: files.readOn(timer()) };
}

function timer(): () => boolean {
  const deadline = performance.now() + timeInFrame;
  return () => performance.now() >= deadline;
}
