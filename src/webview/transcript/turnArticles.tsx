import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { type Sending, sendingOf } from "../../chat/transcript/sentTurns.ts";
import { groupVersions, type Turn } from "../../chat/transcript/transcript.ts";
import { AnswerArticle } from "./answerArticle.tsx";
import type { PageState } from "../model/pageModel.ts";
import { QuestionArticle } from "./questionArticle.tsx";

/** Turns that come onto the page in one frame, the newest first: a long chat does not hold it up. */
const turnsPerFrame = 30;
/** Of turns out of sight the browser looks at their groups alone. */
const turnsPerGroup = 40;

interface ArticleProps {
  readonly turn: Turn;
  readonly versions: readonly Turn[];
  /** Nothing follows it. */
  readonly last: boolean;
  readonly charactersPerToken: number;
  /** Opens a question's editor with what was not sent. */
  readonly reopened: object | undefined;
  /** Whether later questions send this one. */
  readonly sending: Sending | undefined;
}

interface MadeArticle {
  readonly props: ArticleProps;
  readonly article: VNode;
}

interface TurnArticlesProps {
  readonly state: PageState;
  /** Older turns have come onto the page. */
  readonly onMore: () => void;
}

/** The turns on the screen. An article is made anew only where something of it changed, however long the chat. */
export function TurnArticles({ state, onMore }: TurnArticlesProps): VNode {
  const missing = useMissingTurns(state.turns.length, onMore);
  const before = useRef<ReadonlyMap<string, MadeArticle>>(new Map());
  const groupsBefore = useRef<ReadonlyMap<number, MadeGroup>>(new Map());
  const versionsOf = groupVersions(state.transcript);
  const newest = state.turns.at(-1);
  const made = new Map<string, MadeArticle>();
  for (const [at, turn] of state.turns.slice(missing).entries()) {
    const props = {
      turn,
      versions: versionsOf(turn),
      last: turn === newest,
      charactersPerToken: state.header.room.charactersPerToken,
      reopened: state.reopened?.turnId === turn.id ? state.reopened : undefined,
      sending: sendingOf(turn, state.turns[missing + at + 1]),
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

/** `missing` turns come before the first article. A group is made anew only where one of its articles was. */
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
  const { turn, versions, last, charactersPerToken, reopened, sending } = props;
  // Versions of a turn share their place, so that focus stays with it.
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
      />
    ) : (
      <AnswerArticle key={key} turn={turn} versions={versions} last={last} />
    );
  return { props, article };
}

/** Whether the one looks as the other does. */
function isSame(one: ArticleProps, other: ArticleProps): boolean {
  return (
    one.turn === other.turn &&
    one.last === other.last &&
    one.reopened === other.reopened &&
    one.sending === other.sending &&
    (one.charactersPerToken === other.charactersPerToken || !hasSizes(one.turn)) &&
    one.versions.length === other.versions.length &&
    one.versions.every(({ id }, index) => id === other.versions[index]?.id)
  );
}

/** Whether it shows how many tokens something has. */
function hasSizes(turn: Turn): boolean {
  return turn.kind === "question" && (turn.attachments ?? turn.instructions ?? turn.prompt) !== undefined;
}

/** How many of the oldest turns are not on the page yet. */
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
