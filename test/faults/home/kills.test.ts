import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { AnswerTurn, Turn } from "../../../src/chat/transcript/transcript.ts";
import { clientStyles } from "../../../src/protocol/conversation/wireStyle.ts";
import { createRandom } from "../../bench/random.ts";
import { startReferenceService } from "../../service/serve.ts";
import { sized, tellFigure } from "../../support/figures.ts";
import {
  openTestStore,
  removeTestStores,
  temporaryFolder,
} from "../../unit/chat/history/sampleConversation.ts";
import { fakeKey } from "../../unit/service/fixture.ts";
import { bundleChat, killChat, type Told } from "./killedChat.ts";

const kills = sized(200, 8);
const killsAtOnce = 4;
/** Maximum number of events before a random kill. Two answers cause about as many, on a fast or a slow machine. */
const mostTold = 720;
/** Minimum number of kills for the check that a kill has followed each kind of event. With fewer, chance decides. */
const fewestForAll = 100;
/** Milliseconds. */
const mostDelay = 7;
/** Milliseconds. Text is written within 150 ms; the rest is for a busy machine. */
const longestUnwritten = 500;
const seed = Date.now();
/** Number of kills that one conversation goes through. */
const killsOfOne = 5;

interface Tally {
  kills: number;
  /** Number of kills by the last event that the page received. */
  readonly behind: Record<Told["what"], number>;
  /** Interrupted answers whose text had been shown long enough to be stored. */
  keptPartly: number;
  answersDone: number;
  asked: number;
}

interface Moment {
  /** For the message of a failed test. */
  readonly name: string;
  readonly isDue: (told: readonly Told[]) => boolean;
}

describe("a killed process with a chat", function () {
  this.timeout(10 * 60_000);
  afterEach(removeTestStores);

  it(`keeps everything shown as done and sends each question once: ${kills} times`, async () => {
    const tally: Tally = {
      kills: 0,
      behind: { asked: 0, text: 0, ended: 0 },
      keptPartly: 0,
      answersDone: 0,
      asked: 0,
    };
    const program = await bundleChat(await temporaryFolder());
    const lanes = Array.from({ length: killsAtOnce }, (_, lane) => lane);
    await Promise.all(lanes.map((lane) => killInTurn(program, lane, kills / killsAtOnce, tally)));
    assert.equal(tally.kills, kills);
    // Without this check, every kill could have come at a harmless moment.
    assert.ok(tally.behind.text > 0);
    if (kills >= fewestForAll) {
      assert.ok(
        Object.values(tally.behind).every((count) => count > 0),
        JSON.stringify(tally.behind),
      );
    }
    assert.ok(tally.keptPartly >= Math.floor(kills / 20), `${tally.keptPartly} texts had to be kept`);
    const { asked, text, ended } = tally.behind;
    tellFigure(
      `processes with a streaming chat killed (SIGKILL) at random moments: ${tally.kills}, ${text} of them amid text, ` +
        `${asked} right behind a question and ${ended} right behind an answer's end; ` +
        `of ${tally.keptPartly} answers that were cut a text had been shown for ${longestUnwritten} ms, 0 lost it; ` +
        `${tally.answersDone} answers shown as done, 0 lost; ${tally.asked} questions sent, 0 twice`,
    );
  });
});

async function killInTurn(program: string, lane: number, times: number, tally: Tally): Promise<void> {
  const random = createRandom(seed + lane);
  const asked: string[] = [];
  const service = await startReferenceService({
    answers: answerTo,
    onAsk: ({ messages }) => asked.push(lastQuestion(messages.at(-1)?.text)),
  });
  await using _closed = { [Symbol.asyncDispose]: () => service.close() };
  const key = service.keys.add({}, fakeKey("killed"));
  const folder = await temporaryFolder();
  let id = randomUUID();
  let told: (readonly Told[])[] = [];
  for (let round = 0; round < times; round += 1) {
    if (round % killsOfOne === 0) [id, told] = [randomUUID(), []];
    const moment = momentOf(round + lane, random);
    const delay = Math.floor(random() * mostDelay);
    const name = `${lane}-${round}`;
    const style = clientStyles[round % clientStyles.length] ?? "messages";
    const now = await killChat({
      program,
      folder,
      id,
      origin: service.origin,
      key,
      style,
      delay,
      isDue: moment.isDue,
      name,
    });
    told.push(now);
    try {
      tally.keptPartly += (await compare(folder, id, told)) ? 1 : 0;
      assert.equal(new Set(asked).size, asked.length, "a question was sent twice");
    } catch (error) {
      throw new Error(`seed ${seed}, killed ${delay} ms ${moment.name}`, { cause: error });
    }
    tally.kills += 1;
    const last = now.at(-1)?.what;
    if (last !== undefined) tally.behind[last] += 1;
    tally.answersDone += now.filter(({ what }) => what === "ended").length;
  }
  tally.asked += asked.length;
}

/** Takes turns: right after a question, right after an answer's end, then twice at a random event. */
function momentOf(turn: number, random: () => number): Moment {
  const which = 1 + Math.floor(random() * 2);
  const isNth = (what: Told["what"]) => (told: readonly Told[]) =>
    told.filter((each) => each.what === what).length === which;
  switch (turn % 4) {
    case 0:
      return { name: `after question ${which}`, isDue: isNth("asked") };
    case 1:
      return { name: `after the end of answer ${which}`, isDue: isNth("ended") };
    default: {
      const after = 1 + Math.floor(random() * mostTold);
      return { name: `after ${after} events`, isDue: (told) => told.length === after };
    }
  }
}

/** The answer to a question; the same text each time. */
function answerTo(message: string): string {
  return `${lastQuestion(message)} is answered. `.repeat(90);
}

/**
 * Returns the last question of a message. If an answer is cut before its first word, the next message contains its
 * question and the next one.
 */
function lastQuestion(message = ""): string {
  return message.match(/question [\d-]+/g)?.at(-1) ?? assert.fail(message);
}

/**
 * Compares the stored conversation with the events that the pages received, process by process.
 * @returns whether the last process had to store part of an answer
 */
async function compare(folder: string, id: string, told: readonly (readonly Told[])[]): Promise<boolean> {
  const { store, errors } = await openTestStore(folder);
  const stored = (await store.open(id)) ?? assert.fail("the conversation is gone");
  assert.deepEqual(errors, []);
  const { turns, arriving } = stored.transcript;
  assert.equal(arriving, null, "an answer arrives for ever");
  const partly = told.map((ofProcess) => compareProcess(turns, ofProcess));
  for (const turn of turns) {
    if (turn.kind === "question") continue;
    const whole = answerTo(turns.find(({ id: each }) => each === turn.parentId)?.text ?? "");
    assert.ok(whole.startsWith(turn.text), "what is kept is not what was sent");
    assert.ok(turn.text === whole || turn.state.kind === "interrupted", turn.state.kind);
  }
  await store.close();
  return partly.at(-1) ?? false;
}

/** Returns whether the process had to store part of an answer. */
function compareProcess(turns: readonly Turn[], told: readonly Told[]): boolean {
  const answerOf = (question: Turn | undefined): AnswerTurn | undefined =>
    turns.filter((turn) => turn.kind === "answer").find(({ parentId }) => parentId === question?.id);
  const end = Math.max(...told.map((each) => (each.what === "text" ? each.at : 0)));
  let question: Turn | undefined;
  let shown = "";
  for (const each of told) {
    switch (each.what) {
      case "asked":
        question = turns.find((turn) => turn.kind === "question" && turn.text === each.text);
        assert.ok(question !== undefined, `lost: ${each.text}`);
        shown = "";
        break;
      case "text":
        if (each.at <= end - longestUnwritten) shown += each.text;
        break;
      case "ended": {
        assert.equal(each.state, "complete");
        const answer = answerOf(question) ?? assert.fail("an answer is lost");
        assert.deepEqual([answer.state.kind, answer.text], ["complete", each.text]);
        shown = "";
      }
    }
  }
  const kept = answerOf(question)?.text ?? "";
  assert.ok(kept.startsWith(shown), `${kept.length} characters are kept, ${shown.length} were shown`);
  return shown !== "";
}
