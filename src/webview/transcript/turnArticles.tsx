import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { isSummary } from "../../chat/transcript/compaction.ts";
import { type Sending, sendingOf } from "../../chat/transcript/sentTurns.ts";
import { groupVersions, type Turn } from "../../chat/transcript/transcript.ts";
import { AnswerArticle } from "./answerArticle.tsx";
import type { PageState } from "../model/pageModel.ts";
import { QuestionArticle } from "./questionArticle.tsx";

/** Number of turns to render per frame, newest first, so that a long chat cannot block a frame. */
const turnsPerFrame = 30;
/** Number of turns per group. If a group is out of sight, the browser skips the layout of its turns. */
const turnsPerGroup = 40;

interface ArticleProps {
  readonly turn: Turn;
  readonly versions: readonly Turn[];
  /** Whether this is the last turn on the screen. */
  readonly last: boolean;
  readonly charactersPerToken: number;
  /** Whether an answer names its connection besides its model. */
  readonly namesConnection: boolean;
  /** Opens a question's editor with an unsent edit. */
  readonly reopened: object | undefined;
  /** Whether later questions send this one. */
  readonly sending: Sending | undefined;
  /** Whether later questions send the answer instead of the messages above. */
  readonly hasSummary: boolean;
}

interface MadeArticle {
  readonly props: ArticleProps;
  readonly article: VNode;
}

interface TurnArticlesProps {
  readonly state: PageState;
  /** Called when older turns were added to the page. */
  readonly onMore: () => void;
}

/** The turns on the screen. Renders an article again only if its props change, so that a long chat stays fast. */
export function TurnArticles({ state, onMore }: TurnArticlesProps): VNode {
  const missing = useMissingTurns(state.turns.length, onMore);
  const before = useRef<ReadonlyMap<string, MadeArticle>>(new Map());
  const groupsBefore = useRef<ReadonlyMap<number, MadeGroup>>(new Map());
  const versionsOf = groupVersions(state.transcript);
  const newest = state.turns.at(-1);
  const namesConnection = hasSeveralConnections(state.transcript.turns);
  const made = new Map<string, MadeArticle>();
  for (const [at, turn] of state.turns.slice(missing).entries()) {
    const props = {
      turn,
      versions: versionsOf(turn),
      last: turn === newest,
      charactersPerToken: state.header.room.charactersPerToken,
      namesConnection,
      reopened: state.reopened?.turnId === turn.id ? state.reopened : undefined,
      sending: sendingOf(turn, state.turns[missing + at + 1]),
      hasSummary: isSummary(state.turns[missing + at + 1], turn),
    };
    const known = before.current.get(turn.id);
    made.set(turn.id, known !== undefined && isSame(known.props, props) ? known : makeArticle(props));
  }
  before.current = made;
  const articles = Array.from(made.values(), ({ article }) => article);
  groupsBefore.current = makeGroups(articles, missing, groupsBefore.current);
  return <>{Array.from(groupsBefore.current.values(), ({ group }) => group)}</>;
}

interface MadeGroup {
  readonly articles: readonly VNode[];
  readonly group: VNode;
}

/**
 * `missing` is the number of turns before the first article. Renders a group again only if one of its articles changed.
 */
function makeGroups(
  articles: readonly VNode[],
  missing: number,
  before: ReadonlyMap<number, MadeGroup>,
): ReadonlyMap<number, MadeGroup> {
  const groups = new Map<number, MadeGroup>();
  for (let start = 0; start < articles.length;) {
    const at = Math.floor((missing + start) / turnsPerGroup);
    const end = (at + 1) * turnsPerGroup - missing;
    const members = articles.slice(start, end);
    const known = before.get(at);
    groups.set(at, known !== undefined && areSame(known.articles, members) ? known : makeGroup(at, members));
    start = end;
  }
  return groups;
}

function makeGroup(at: number, articles: readonly VNode[]): MadeGroup {
  const group = (
    <div key={at} class="turn-group">
      {articles}
    </div>
  );
  return { articles, group };
}

function areSame(ones: readonly VNode[], others: readonly VNode[]): boolean {
  return ones.length === others.length && ones.every((one, index) => one === others[index]);
}

function makeArticle(props: ArticleProps): MadeArticle {
  const { turn, versions, last, charactersPerToken, namesConnection, reopened, sending, hasSummary } = props;
  // Versions of a turn share a key, so that the focus stays in place.
  const key = `${turn.kind} ${turn.parentId ?? ""}`;
  const article =
    turn.kind === "question" ? (
      <QuestionArticle
        key={key}
        turn={turn}
        versions={versions}
        charactersPerToken={charactersPerToken}
        reopened={reopened}
        sending={sending}
        hasSummary={hasSummary}
      />
    ) : (
      <AnswerArticle
        key={key}
        turn={turn}
        versions={versions}
        last={last}
        charactersPerToken={charactersPerToken}
        namesConnection={namesConnection}
      />
    );
  return { props, article };
}

/** Whether both props render the same article. */
function isSame(one: ArticleProps, other: ArticleProps): boolean {
  return (
    one.turn === other.turn &&
    one.last === other.last &&
    one.reopened === other.reopened &&
    one.sending === other.sending &&
    one.hasSummary === other.hasSummary &&
    (one.namesConnection === other.namesConnection || one.turn.kind === "question") &&
    (one.charactersPerToken === other.charactersPerToken || !hasSizes(one.turn)) &&
    one.versions.length === other.versions.length &&
    one.versions.every(({ id }, index) => id === other.versions[index]?.id)
  );
}

/** Whether the answers came from different connections, so that each has to name its own. */
function hasSeveralConnections(turns: readonly Turn[]): boolean {
  const first = turns.find((turn) => turn.kind === "answer")?.connection;
  return turns.some((turn) => turn.kind === "answer" && turn.connection !== first);
}

/** Whether the turn shows token counts. */
function hasSizes(turn: Turn): boolean {
  if (turn.kind === "answer")
    return turn.queued !== undefined || turn.steps?.some(({ messages }) => messages !== undefined) === true;
  return (turn.attachments ?? turn.instructions ?? turn.prompt) !== undefined;
}

/** Number of the oldest turns that are not on the page yet. */
function useMissingTurns(count: number, onMore: () => void): number {
  const [missing, setMissing] = useState(Math.max(0, count - turnsPerFrame));
  useEffect(() => {
    onMore();
    if (missing === 0) return undefined;
    const frame = window.requestAnimationFrame(() => setMissing(Math.max(0, missing - turnsPerFrame)));
    return () => window.cancelAnimationFrame(frame);
  }, [missing]);
  return missing;
}
