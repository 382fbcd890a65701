import type { VNode } from "preact";
import { useLayoutEffect, useRef, useEffect, useMemo, useState } from "preact/hooks";
import { type AnswerPart, type AnswerStep, partsOf } from "../../chat/transcript/steps.ts";
import {
  type AnswerTurn,
  emptyTranscript,
  isEndedEarly,
  refusedFieldText,
  type Turn,
  waitsForUser,
} from "../../chat/transcript/transcript.ts";
import { styleFacts } from "../../protocol/conversation/wireStyle.ts";
import { AttachmentList } from "../composer/attachmentList.tsx";
import { answerNotice, cutOf } from "../announcements/answerTexts.ts";
import { activityText } from "../announcements/callTexts.ts";
import { billableHints, CopyButton, IconButton, restingHints } from "../controls/buttons.tsx";
import { isArriving, type AnswerField } from "../model/answerViews.ts";
import { RetryNotice, SilenceNotice, FailureAlert, offeredByAlert } from "./answerNotices.tsx";
import { omittedText } from "../composer/meter.tsx";
import { pageLanguage } from "../controls/numberText.ts";
import { usePage } from "../context/pageContext.ts";
import { convertUsageToText } from "../../chat/transcript/usage.ts";
import { ChangedFileList } from "./changedFileList.tsx";
import { CallCard, PauseCard } from "./decisionCards.tsx";
import { ToolCalls } from "./toolCalls.tsx";
import { Versions } from "./versions.tsx";
import { SeveralFilesSearch } from "../../chat/code/answerFiles.ts";

interface AnswerArticleProps {
  readonly turn: AnswerTurn;
  readonly versions: readonly Turn[];
  /** Whether this is the last turn on the screen. */
  readonly last: boolean;
  readonly charactersPerToken: number;
  /** Whether the answer names its connection besides its model. */
  readonly namesConnection: boolean;
}

/** An answer with its reasoning, notices, failure and actions, while it streams and afterwards. */
export function AnswerArticle(props: AnswerArticleProps): VNode {
  const { turn, versions, last, charactersPerToken, namesConnection } = props;
  const { t } = usePage();
  const arrives = isArriving(turn);
  const cut = last ? cutOf(turn) : undefined;
  const notice = answerNotice(turn, { t, language: pageLanguage() });
  return (
    <article
      class={arrives ? "turn answer arriving" : "turn answer"}
      data-turn={turn.id}
      aria-label={t("Assistant")}
      // A screen reader may leave out what is busy. Nothing arrives while the user is asked.
      aria-busy={arrives && !waitsForUser({ ...emptyTranscript, arriving: turn })}
      tabIndex={-1}
    >
      {arrives && turn.mode !== undefined && <WorkLine turn={turn} />}
      <AnswerParts turn={turn} charactersPerToken={charactersPerToken} />
      {turn.state.kind === "waiting" && turn.silentSeconds === undefined && (
        <p class="waiting">{t("Waiting for the answer...")}</p>
      )}
      {turn.state.kind === "retrying" && <RetryNotice state={turn.state} />}
      {arrives && <CallCard turn={turn} />}
      {turn.state.kind === "paused" && <PauseCard turn={turn} state={turn.state} />}
      {turn.queued?.map(({ text, attachments }, index) => (
        <div key={index} class="notice queued">
          <p dir="auto">{t("Sent with the next request: {0}", text)}</p>
          <AttachmentList
            attachments={attachments ?? []}
            charactersPerToken={charactersPerToken}
            turnId={turn.id}
          />
        </div>
      ))}
      {turn.silentSeconds !== undefined && <SilenceNotice turn={turn} seconds={turn.silentSeconds} />}
      {turn.leftOut !== undefined && <p class="notice left-out">{omittedText(turn.leftOut, t)}</p>}
      {turn.refusedFields?.map((field) => (
        <p key={field} class="notice refused-field">
          {refusedFieldText(turn, field, t)}
        </p>
      ))}
      {notice !== undefined && <p class="notice">{notice}</p>}
      {cut === "in-text" && <ContinueRow />}
      {cut === "before-text" && <LimitRow />}
      {turn.state.kind === "failed" && <FailureAlert turn={turn} diagnosis={turn.state.diagnosis} />}
      {last && turn.steps !== undefined && isEndedEarly(turn.state) && <ResumeRow turn={turn} />}
      {!arrives && <ChangedFileList turn={turn} />}
      {!arrives && <AnswerFooter turn={turn} versions={versions} namesConnection={namesConnection} />}
    </article>
  );
}

/** Number of requests to render per frame, newest first, so that a long answer cannot block a frame. */
const partsPerFrame = 30;
/** Number of requests per group. If a group is out of sight, the browser skips its layout and paint. */
const partsPerGroup = 10;

interface MadePart {
  readonly step: AnswerStep | undefined;
  readonly view: VNode;
}

/** The requests of the answer. Renders one again only if its step changes, so that a long answer stays fast. */
function AnswerParts({
  turn,
  charactersPerToken,
}: {
  readonly turn: AnswerTurn;
  readonly charactersPerToken: number;
}): VNode {
  const before = useRef<readonly MadePart[]>([]);
  const groupsBefore = useRef<ReadonlyMap<number, PartGroup>>(new Map());
  const parts = partsOf(turn);
  const missing = useMissingParts(parts.length);
  const made = parts.map((part, index): MadePart => {
    const known = before.current[index];
    if (known !== undefined && part.step !== undefined && known.step === part.step) return known;
    return {
      step: part.step,
      view: (
        <AnswerPartView
          key={index}
          turn={turn}
          part={part}
          index={index}
          charactersPerToken={charactersPerToken}
        />
      ),
    };
  });
  before.current = made;
  const shown = made.slice(missing).map(({ view }) => view);
  groupsBefore.current = groupParts(shown, missing, groupsBefore.current);
  const partial = missing === 0 ? {} : { "data-partial": "" };
  return <div {...partial}>{Array.from(groupsBefore.current.values(), ({ group }) => group)}</div>;
}

interface PartGroup {
  readonly views: readonly VNode[];
  readonly group: VNode;
}

/** `missing` is the number of parts before the first view. Renders a group again only if one of its parts changed. */
function groupParts(
  views: readonly VNode[],
  missing: number,
  before: ReadonlyMap<number, PartGroup>,
): ReadonlyMap<number, PartGroup> {
  const groups = new Map<number, PartGroup>();
  for (let start = 0; start < views.length;) {
    const at = Math.floor((missing + start) / partsPerGroup);
    const end = (at + 1) * partsPerGroup - missing;
    const members = views.slice(start, end);
    const known = before.get(at);
    const isSame =
      known?.views.length === members.length && members.every((view, index) => view === known.views[index]);
    groups.set(
      at,
      isSame
        ? known
        : {
            views: members,
            group: (
              <div key={at} class="part-group">
                {members}
              </div>
            ),
          },
    );
    start = end;
  }
  return groups;
}

/** Number of the oldest parts that are not on the page yet. */
function useMissingParts(count: number): number {
  const [missing, setMissing] = useState(Math.max(0, count - partsPerFrame));
  useEffect(() => {
    if (missing === 0) return undefined;
    const frame = window.requestAnimationFrame(() => setMissing(Math.max(0, missing - partsPerFrame)));
    return () => window.cancelAnimationFrame(frame);
  }, [missing]);
  return missing;
}

/** One request of the answer: its reasoning, its text, its calls, and the messages after them. */
function AnswerPartView({
  turn,
  part: { reasoning, step },
  index,
  charactersPerToken,
}: {
  readonly turn: AnswerTurn;
  readonly part: AnswerPart;
  readonly index: number;
  readonly charactersPerToken: number;
}): VNode {
  const { t } = usePage();
  return (
    <>
      {reasoning !== "" && (
        <details class="reasoning">
          <summary>{t("Reasoning")}</summary>
          <AnswerText turn={turn} field="reasoning" part={index} />
        </details>
      )}
      <AnswerText turn={turn} field="text" part={index} />
      {step !== undefined && step.calls.length > 0 && <ToolCalls turn={turn} calls={step.calls} />}
      {step?.messages
        ?.filter(({ by }) => by === "user")
        .map(({ text, attachments }, at) => (
          <div key={at} class="step-message">
            <p dir="auto">{text}</p>
            <AttachmentList
              attachments={attachments ?? []}
              charactersPerToken={charactersPerToken}
              turnId={turn.id}
            />
          </div>
        ))}
    </>
  );
}

/**
 * Shows the activity of an answer with tools, its requests and its tokens. Stays in view while one reads the answer.
 * Needs no Stop: the Stop in the composer is always in view, and Escape does the same.
 */
function WorkLine({ turn }: { readonly turn: AnswerTurn }): VNode {
  const { t } = usePage();
  // Between its requests, the answer has sent as many as it has steps.
  const isBetween = turn.state.kind === "working" || turn.state.kind === "paused";
  const requests = (turn.steps?.length ?? 0) + (isBetween ? 0 : 1);
  const usage =
    turn.usage === undefined
      ? []
      : [convertUsageToText(turn.usage, turn.price, true, { t, language: pageLanguage() })];
  // After the user has let it continue, the answer may send more.
  const count =
    turn.maxRequests === undefined || requests > turn.maxRequests
      ? t("Request {0}", requests)
      : t("Request {0} of {1}", requests, turn.maxRequests);
  const activity = activityText(turn, t);
  return (
    <p class="work-line" role="status" aria-live="off" aria-label={t("Progress")}>
      <span class="work-activity" dir="auto" title={activity}>
        {activity}
      </span>
      <span>{[count, ...usage].join(" · ")}</span>
    </p>
  );
}

/** Goes on with an answer that ended early. */
function ResumeRow({ turn }: { readonly turn: AnswerTurn }): VNode {
  const { model, t, focusComposer } = usePage();
  const name = t("Resume");
  const resume = (): void => {
    if (model.arrives) return;
    model.post({ type: "resume", turnId: turn.id });
    focusComposer();
  };
  return (
    <div class="button-row">
      <button
        type="button"
        class="secondary"
        {...billableHints(name, t)}
        {...restingHints(model.arrives)}
        onClick={resume}
      >
        {name}
      </button>
    </div>
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

type FooterProps = Pick<AnswerArticleProps, "turn" | "versions" | "namesConnection">;

function AnswerFooter({ turn, versions, namesConnection }: FooterProps): VNode {
  const { model, t, focusComposer } = usePage();
  const { state } = turn;
  const appliesToFiles = useSeveralFiles(turn.text);
  const madeBy = t("{0} · {1}", turn.model, styleFacts[turn.clientStyle].title(t));
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
        <span class="answer-model">{namesConnection ? `${turn.connection} · ${madeBy}` : madeBy}</span>
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
function AnswerText({
  turn,
  field,
  part,
}: {
  readonly turn: AnswerTurn;
  readonly field: AnswerField;
  readonly part: number;
}): VNode {
  const { model } = usePage();
  const frame = useRef<HTMLDivElement>(null);
  const element = model.views.elementOf(turn.id, field, part);
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
