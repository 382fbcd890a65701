import {
  type AnswerTurn,
  type QuestionTurn,
  reduceTranscript,
  type Transcript,
  type TranscriptEvent,
  type Turn,
} from "../../transcript/transcript.ts";

/**
 * Changes of other than the arriving text, per conversation: a question and its answer are three. Each
 * may cost as much as there are turns, so a hostile file must not hold any number of them.
 */
const mostStructuralEvents = 12_000;

/** Characters of all texts together. */
const mostText = 256 * 1024 * 1024;

interface Arriving {
  turn: AnswerTurn;
  /** Its place among the turns, once it has one. */
  place: number | undefined;
}

type StructuralEvent = Extract<
  TranscriptEvent,
  { type: "question-asked" | "answer-started" | "version-selected" | "question-included" }
>;

/**
 * Joins what several writers (windows at once, or one after the other) added to one conversation. Each
 * has an arriving answer of its own. As soon as another writer is heard, or the file ends, such an answer
 * takes its place among the turns as interrupted; should its writer go on after all, it is mended there.
 * What a single writer wrote reads as `reduceTranscript` has it.
 */
export class InterleavedWriters {
  #turns: readonly Turn[] = [];
  #leafId: string | null = null;
  readonly #ids = new Set<string>();
  readonly #arriving = new Map<string, Arriving>();
  #writer = "";
  #structuralEvents = 0;
  #text = 0;

  /**
   * @param incomplete whether something before this event was lost, so that it may speak of turns that
   *   are not there, and an answer may lack its end
   * @returns false where the conversation is beyond all bounds and the event was left out
   */
  take(writer: string, event: TranscriptEvent, incomplete: boolean): boolean {
    if (!this.#makeRoom(event)) return false;
    if (writer !== this.#writer) {
      const before = this.#arriving.get(this.#writer);
      if (before !== undefined && before.place === undefined) this.#place(before);
      this.#writer = writer;
    }
    const arriving = this.#arriving.get(writer);
    switch (event.type) {
      case "question-asked":
      case "answer-started":
      case "version-selected":
      case "question-included":
        if (incomplete) this.#repair(writer, event);
        this.#restructure(writer, event);
        return true;
      case "text-delta":
      case "reasoning-delta":
      case "usage":
      case "request-id":
      case "answer-ended":
        if (arriving !== undefined) this.#receive(writer, arriving, event);
        return true;
      case "retry-announced":
      case "retry-begun":
      case "silence":
        return true;
    }
  }

  /** The answer of which this writer has told no end yet. */
  unendedOf(writer: string): string | undefined {
    return this.#arriving.get(writer)?.turn.id;
  }

  /** The transcript as it is when nothing more comes. */
  end(): Transcript {
    const turns = [...this.#turns];
    for (const { turn, place } of this.#arriving.values()) {
      turns[place ?? turns.length] = { ...turn, state: { kind: "interrupted" } };
    }
    return { turns, arriving: null, leafId: this.#leafId };
  }

  #restructure(writer: string, event: StructuralEvent): void {
    const arriving = this.#arriving.get(writer)?.turn ?? null;
    const leafId = arriving?.id ?? this.#leafId;
    const next = reduceTranscript({ turns: this.#turns, arriving, leafId }, event);
    if ("turn" in event) this.#ids.add(event.turn.id);
    this.#turns = next.turns;
    this.#leafId = next.leafId;
    if (arriving === null && next.arriving !== null) {
      this.#arriving.set(writer, { turn: next.arriving, place: undefined });
    }
  }

  #receive(writer: string, arriving: Arriving, event: TranscriptEvent): void {
    const { turn, place } = arriving;
    const next = reduceTranscript({ turns: [], arriving: turn, leafId: turn.id }, event);
    const [settled] = next.turns;
    if (next.arriving !== null) arriving.turn = next.arriving;
    if (settled === undefined) return;
    this.#arriving.delete(writer);
    // Another writer may have gone on behind it since.
    if (place === undefined) this.#leafId = turn.id;
    this.#turns = place === undefined ? [...this.#turns, settled] : this.#turns.with(place, settled);
  }

  /** Puts an arriving answer among the turns, with what it has so far. */
  #place(arriving: Arriving): void {
    const turn: Turn = { ...arriving.turn, state: { kind: "interrupted" } };
    if (arriving.place === undefined) {
      arriving.place = this.#turns.length;
      this.#turns = [...this.#turns, turn];
    } else {
      this.#turns = this.#turns.with(arriving.place, turn);
    }
  }

  /** Gives a turn whose parent was lost another, so that what came before stays in sight. */
  #repair(writer: string, event: StructuralEvent): void {
    if (!("turn" in event)) return;
    const arriving = this.#arriving.get(writer);
    if (arriving !== undefined) this.#place(arriving);
    this.#arriving.delete(writer);
    const { parentId } = event.turn;
    if (parentId === null || this.#ids.has(parentId)) return;
    const lost: QuestionTurn = {
      kind: "question",
      id: parentId,
      parentId: this.#leafId,
      text: "",
      at: event.turn.at,
    };
    this.#restructure(writer, { type: "question-asked", turn: lost });
  }

  #makeRoom(event: TranscriptEvent): boolean {
    switch (event.type) {
      case "retry-announced":
      case "retry-begun":
      case "silence":
      case "usage":
      case "request-id":
        return true;
      case "text-delta":
      case "reasoning-delta":
        this.#text += event.text.length;
        return this.#text <= mostText;
      case "question-asked":
      case "answer-started":
        this.#text += event.turn.text.length;
        this.#structuralEvents += 1;
        break;
      case "answer-ended":
      case "version-selected":
      case "question-included":
        this.#structuralEvents += 1;
    }
    return this.#text <= mostText && this.#structuralEvents <= mostStructuralEvents;
  }
}
