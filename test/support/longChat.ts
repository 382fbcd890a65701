import { randomUUID } from "node:crypto";
import type { Locator } from "playwright-core";
import type { TranscriptEvent } from "../../src/chat/transcript/transcript.ts";
import { openStore } from "../bench/sampleHistory.ts";
import { inPage } from "./workbench/inPage.ts";
import { exchange, started, text, completed } from "../unit/chat/transcript/sampleEvents.ts";

/** A word in one early answer of the visible branch. */
export const shownWord = "capybara";
/** A word in one early answer that has another version; the other version is visible. */
export const hiddenWord = "axolotl";

const paragraph = "Nothing that anyone looks for stands here, however far it goes on. ".repeat(9);
const answer = [
  "## A part",
  paragraph,
  "- one\n- two\n- three",
  "```ts\nconst one = 1;\n```",
  paragraph,
].join("\n\n");

/** A chat of many screens with two branches; the second branch is visible. */
export const longChat: readonly TranscriptEvent[] = [
  ...talk("early", null, 10),
  ...exchange("hidden", "aearly10", `The ${hiddenWord} lives here.\n\n${answer}`),
  ...talk("left", "ahidden", 40),
  started("ashown", "qhidden"),
  text(answer),
  completed,
  ...talk("middle", "ashown", 2),
  ...exchange("word", "amiddle2", `The ${shownWord} lives here.\n\n${answer}`),
  ...talk("late", "aword", 60),
];

export async function writeLongChat(folder: string): Promise<void> {
  const store = openStore(folder);
  const log = store.log(randomUUID());
  log.append(longChat);
  await log.flush();
  await log.close();
  await store.close();
}

function talk(name: string, parentId: string | null, count: number): readonly TranscriptEvent[] {
  return Array.from({ length: count }, (_, index) =>
    exchange(`${name}${index + 1}`, index === 0 ? parentId : `a${name}${index}`, answer),
  ).flat();
}

/** Waits until the turn has been at the top of the transcript for 60 frames in a row. Rejects after 900 frames. */
export async function staysOnTop(turn: Locator): Promise<void> {
  await turn.evaluate(
    inPage<Promise<void>>(`(turn) => new Promise((resolve, reject) => {
      let frames = 0;
      let steady = 0;
      const look = () => {
        const top = turn.getBoundingClientRect().top - turn.closest("[role=log]").getBoundingClientRect().top;
        steady = top > -2 && top < 40 ? steady + 1 : 0;
        frames += 1;
        if (steady === 60) resolve();
        else if (frames === 900) reject(new Error("The turn is " + top + " px below the top."));
        else requestAnimationFrame(look);
      };
      look();
    })`),
  );
}
