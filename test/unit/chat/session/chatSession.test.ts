import assert from "node:assert/strict";
import { emptyTranscript, type TranscriptEvent } from "../../../../src/chat/transcript/transcript.ts";
import { clientStyles } from "../../../../src/protocol/conversation/wireStyle.ts";
import { startReferenceService, type ReferenceService } from "../../../service/serve.ts";
import { type PlainServer, startPlainServer } from "../../client/transport/plainServer.ts";
import { MockClock } from "../../client/http/mockClock.ts";
import { fakeKey } from "../../service/fixture.ts";
import { SessionBench } from "./sessionBench.ts";

describe("ChatSession with the reference service", () => {
  let service: ReferenceService;
  let bench: SessionBench;

  before(async () => {
    service = await startReferenceService();
  });
  beforeEach(() => {
    service.journal.clear();
    bench = new SessionBench(service.origin, service.keys.add({}));
  });
  after(() => service.close());

  it("asks a question and completes the answer, with the same transcript in host and page", async () => {
    await bench.session.send("Hello");
    assert.deepEqual(
      bench.turns.map(({ kind }) => kind),
      ["question", "answer"],
    );
    assert.deepEqual(bench.lastAnswer.state, { kind: "complete", reason: "stop" });
    assert.ok(bench.lastAnswer.text.length > 0);
    assert.ok((bench.lastAnswer.usage?.outputTokens ?? 0) > 0);
    assert.deepEqual(bench.page, bench.session.transcript);
  });

  it("sends the whole branch with the next question", async () => {
    await bench.session.send("one");
    const firstTokens = service.journal.entries[0]?.inputTokens ?? 0;
    await bench.session.send("two");
    assert.ok((service.journal.entries[1]?.inputTokens ?? 0) > firstTokens);
    assert.equal(bench.turns.length, 4);
  });

  it("asks the next question in the other client style", async () => {
    await bench.session.send("one");
    bench.style = "messages";
    await bench.session.send("two");
    assert.equal(bench.lastAnswer.clientStyle, "messages");
    assert.deepEqual(
      service.journal.entries.map(({ path }) => path),
      ["/v1/chat/completions", "/v1/messages"],
    );
  });

  it("keeps the arrived text when stopped, and aborts the request", async () => {
    const arrived = bench.firstText();
    const sending = bench.session.send("/long 9000 /pace 20");
    await arrived;
    bench.session.stop();
    await sending;
    assert.deepEqual(bench.lastAnswer.state, { kind: "stopped" });
    assert.ok(bench.lastAnswer.text.length > 0);
    await service.journal.next(({ state }) => state === "aborted", AbortSignal.timeout(45_000));
    assert.ok(!bench.session.busy);
  });

  it("ignores a second question while an answer arrives", async () => {
    const sending = bench.session.send("one");
    await bench.session.send("two");
    await sending;
    assert.equal(service.journal.entries.length, 1);
    assert.equal(bench.turns.length, 2);
  });

  it("diagnoses a wrong key, keeps the question, and answers it on retry with the right key", async () => {
    const right = bench.key;
    bench.key = fakeKey("wrong");
    await bench.session.send("Hello");
    const failed = bench.lastAnswer;
    assert.ok(failed.state.kind === "failed");
    assert.equal(failed.state.diagnosis.cause, "invalid-key");
    assert.ok(failed.state.diagnosis.requestId !== undefined);
    bench.key = right;
    await bench.session.retry(failed.id);
    assert.equal(bench.lastAnswer.state.kind, "complete");
    assert.equal(bench.turns[0]?.text, "Hello");
    assert.equal(bench.session.transcript.turns.length, 3, "the failed answer stays as a version");
  });

  it("uses another model and client style for one answer only, and keeps both answers", async () => {
    await bench.session.send("Hello");
    const first = bench.lastAnswer;
    await bench.session.retry(first.id, {
      connection: "Acme",
      model: "service-mini",
      clientStyle: "messages",
    });
    const { state, parentId } = bench.lastAnswer;
    assert.deepEqual([state.kind, parentId], ["complete", first.parentId]);
    await bench.session.send("And now?");
    assert.equal(bench.lastAnswer.model, "service-core", "the chat's own choice stays");
    assert.deepEqual(
      service.journal.entries.map((entry) => [entry.path, entry.model]),
      [
        ["/v1/chat/completions", "service-core"],
        ["/v1/messages", "service-mini"],
        ["/v1/chat/completions", "service-core"],
      ],
    );
    bench.session.selectVersion(first.id);
    assert.equal(bench.lastAnswer.id, first.id);
    assert.deepEqual(bench.page, bench.session.transcript);
  });

  it("stores the chat's selection with its first question, and again only when it changes", async () => {
    bench.selection = { connection: "Acme", model: "service-core" };
    const { session } = bench;
    const events: TranscriptEvent[] = [];
    bench.onEvents = (told) => events.push(...told);
    await session.send("Hello");
    await session.send("And now?");
    const first = session.transcript.turns[1] ?? assert.fail();
    await session.retry(first.id, { connection: "Beta", model: "service-mini", clientStyle: "messages" });
    assert.deepEqual(session.transcript.selection, bench.selection, "one answer does not change it");
    bench.selection = { connection: "Acme", model: "service-mini" };
    session.select(bench.selection);
    await session.send("With another model");
    const models = events.flatMap((event) =>
      event.type === "target-selected" ? [event.selection.model] : [],
    );
    assert.deepEqual(models, ["service-core", "service-mini"]);
    assert.deepEqual(bench.page, session.transcript);
  });

  it("keeps both branches of an edited question", async () => {
    await bench.session.send("one");
    const [question] = bench.turns;
    await bench.session.edit(question?.id ?? "", "uno");
    assert.deepEqual(bench.turns.map(({ text }) => text)[0], "uno");
    bench.session.selectVersion(question?.id ?? "");
    assert.deepEqual(bench.turns.map(({ text }) => text)[0], "one");
    assert.equal(bench.session.transcript.turns.length, 4);
    assert.deepEqual(bench.page, bench.session.transcript);
  });

  it("keeps the text of a filtered answer, and reports the request ID from the headers", async () => {
    const plain = await startPlainServer();
    plain.answer = (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream", "x-request-id": "req-filtered" });
      response.write('data: {"choices":[{"delta":{"content":"Well, "}}]}\n\n');
      response.end('data: {"choices":[{"delta":{},"finish_reason":"content_filter"}]}\n\ndata: [DONE]\n\n');
    };
    const filtered = new SessionBench(plain.origin, fakeKey());
    await filtered.session.send("Hello");
    const { state, text } = filtered.lastAnswer;
    assert.ok(state.kind === "failed");
    assert.equal(state.diagnosis.cause, "content-filtered");
    assert.equal(state.diagnosis.requestId, "req-filtered");
    assert.equal(text, "Well, ");
    await plain.close();
  });

  for (const style of clientStyles) {
    it(`answers a short question after one that was refused as too long (${style})`, async () => {
      const bodies: string[] = [];
      await using narrow = await startReferenceService({
        bodyLimit: 2000,
        onAsk: ({ messages }) => bodies.push(messages.map(({ role, text }) => `${role}: ${text}`).join("\n")),
      });
      const chat = new SessionBench(narrow.origin, narrow.keys.add({}));
      chat.style = style;
      const ending = (): string => chat.lastAnswer.state.kind;
      await chat.session.send("The first");
      const first = chat.lastAnswer.text;
      await chat.session.send("too long ".repeat(300));
      const refused = chat.turns.at(-2);
      assert.equal(ending(), "failed");
      await chat.session.send("hello");
      assert.equal(ending(), "complete");
      assert.equal(bodies.at(-1), `user: The first\nassistant: ${first}\nuser: hello`);
      assert.ok(refused?.kind === "question");
      chat.session.include(refused.id, true);
      await chat.session.send("and now?");
      assert.equal(ending(), "failed", "it is sent again by choice, and refused again");
      chat.session.include(refused.id, false);
      await chat.session.send("hello again");
      assert.equal(ending(), "complete");
      assert.deepEqual(chat.page, chat.session.transcript);
    });
  }

  it("resends a question on retry after a failed answer, and with later questions if it is included", async () => {
    const asks: string[] = [];
    await using wide = await startReferenceService({
      onAsk: ({ messages }) => asks.push(messages.map(({ text }) => text).join(" | ")),
    });
    const chat = new SessionBench(wide.origin, wide.keys.add({}));
    const overloaded = { status: 400, body: { error: { message: "Not now." } } };
    wide.failNext(overloaded);
    await chat.session.send("one");
    wide.failNext(overloaded);
    await chat.session.retry(chat.lastAnswer.id);
    assert.equal(chat.lastAnswer.state.kind, "failed");
    const [question] = chat.turns;
    chat.session.include(question?.id ?? "", true);
    await chat.session.send("try again");
    assert.deepEqual(asks, ["one\n\ntry again"]);
    chat.session.selectVersion(question?.id ?? "");
    chat.session.include(question?.id ?? "", false);
    await chat.session.retry(chat.lastAnswer.id);
    assert.equal(asks.length, 2);
  });

  it("sends nothing for an empty question", async () => {
    await bench.session.send("  \n");
    assert.equal(service.journal.entries.length, 0);
    assert.deepEqual(bench.session.transcript, emptyTranscript);
  });
});

describe("ChatSession with a delayed answer", () => {
  let plain: PlainServer;
  let bench: SessionBench;
  const hello = 'data: {"choices":[{"delta":{"content":"Hello"}}]}\n\n';
  const end = 'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\n';

  beforeEach(async () => {
    plain = await startPlainServer();
    bench = new SessionBench(plain.origin, fakeKey("waiting"));
  });
  afterEach(() => plain.close());

  /** Answers with the status this many times, then with a complete stream. */
  function refuse(times: number, headers: Record<string, string>, status = 529): void {
    let left = times;
    plain.answer = (_request, response) => {
      left -= 1;
      if (left >= 0) response.writeHead(status, headers).end();
      else response.writeHead(200, { "content-type": "text/event-stream" }).end(hello + end);
    };
  }

  it("announces each retry delay and leaves no trace of it in the answer", async () => {
    refuse(2, { "retry-after-ms": "30" });
    const states: unknown[] = [];
    bench.onEvents = (events) => {
      for (const { type } of events) {
        if (type.startsWith("retry")) states.push(bench.page.arriving?.state);
      }
    };
    await bench.session.send("Hello");
    const waiting = {
      kind: "retrying",
      of: 3,
      waitMs: 30,
      until: "2026-01-02T03:04:05.030Z",
      cause: "overloaded",
      title: "The service is overloaded",
    };
    assert.deepEqual(states, [
      { ...waiting, attempt: 2 },
      { kind: "waiting" },
      { ...waiting, attempt: 3 },
      { kind: "waiting" },
    ]);
    assert.equal(bench.lastAnswer.text, "Hello");
    assert.deepEqual(bench.lastAnswer.state, { kind: "complete", reason: "stop" });
    assert.deepEqual(bench.settled, bench.lastAnswer.state);
    assert.equal(bench.turns.length, 2);
    assert.equal(plain.requests, 3);
    assert.deepEqual(bench.page, bench.session.transcript);
  });

  it("ends a retry delay at once when stopped, and reports the last failure", async () => {
    refuse(1, { "retry-after": "50" });
    const announced = bench.next(({ type }) => type === "retry-announced");
    const sending = bench.session.send("Hello");
    await announced;
    bench.session.stop();
    await sending;
    const { state } = bench.lastAnswer;
    assert.ok(state.kind === "failed");
    assert.equal(state.diagnosis.cause, "overloaded");
    assert.ok(state.diagnosis.actions.some(({ id }) => id === "retry"));
    assert.deepEqual(bench.settled, state);
    assert.equal(plain.requests, 1);
    assert.ok(!bench.session.busy);
  });

  it("retries at once when retryNow is called", async () => {
    refuse(1, { "retry-after": "50" });
    const announced = bench.next(({ type }) => type === "retry-announced");
    const sending = bench.session.send("Hello");
    await announced;
    bench.session.retryNow();
    await sending;
    assert.equal(bench.lastAnswer.text, "Hello");
  });

  it("reports a long retry delay instead of waiting", async () => {
    refuse(1, { "retry-after": "720" }, 429);
    await bench.session.send("Hello");
    const { state } = bench.lastAnswer;
    assert.ok(state.kind === "failed");
    assert.match(state.diagnosis.explanation, /Try again in 12 minutes/);
    assert.equal(state.diagnosis.actions[0]?.id, "retry");
  });

  it("reports a silence, resets it when text arrives, and doesn't stop on its own", async () => {
    bench.stallSeconds = 0.05;
    const goingOn = Promise.withResolvers<void>();
    plain.answer = (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(hello);
      void goingOn.promise.then(() => response.end(hello + end));
    };
    using clock = new MockClock();
    const arrived = bench.firstText();
    const sending = bench.session.send("Hello");
    await arrived;
    clock.tick(50);
    assert.partialDeepStrictEqual(bench.page.arriving, { silentSeconds: 0.05, state: { kind: "streaming" } });
    const back = bench.next((event) => event.type === "silence" && event.seconds === 0);
    goingOn.resolve();
    await Promise.all([back, sending]);
    assert.equal(bench.lastAnswer.text, "HelloHello");
    assert.ok(!("silentSeconds" in bench.lastAnswer));
    bench.onEvents = (events) => assert.fail(JSON.stringify(events));
    clock.tick(1000);
  });

  it("reports the silence again with its total length if the user keeps waiting", async () => {
    bench.stallSeconds = 0.05;
    plain.answer = () => undefined;
    const seconds: number[] = [];
    bench.onEvents = (events) => {
      for (const event of events) {
        if (event.type !== "silence") continue;
        seconds.push(event.seconds);
        if (event.seconds === 0.1) bench.session.stop();
        else if (event.seconds > 0) setImmediate(() => bench.session.keepWaiting());
      }
    };
    await bench.session.send("Hello");
    assert.deepEqual(seconds, [0.05, 0, 0.1]);
    assert.deepEqual(bench.lastAnswer.state, { kind: "stopped" });
    assert.ok(!("silentSeconds" in bench.lastAnswer));
  });

  it("counts stream comments as activity", async () => {
    bench.stallSeconds = 0.25;
    using clock = new MockClock();
    plain.answer = (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      let beats = 0;
      const beat = setInterval(() => {
        clock.tick(25);
        beats += 1;
        response.write(": keep-alive\n\n");
        if (beats < 20) return;
        clearInterval(beat);
        response.end(hello + end);
      }, 25);
    };
    const silences: TranscriptEvent[] = [];
    bench.onEvents = (events) => silences.push(...events.filter(({ type }) => type === "silence"));
    await bench.session.send("Hello");
    assert.equal(bench.lastAnswer.text, "Hello");
    assert.deepEqual(silences, []);
  });

  it("stops an arriving answer before a retry", async () => {
    plain.answer = (_request, response) =>
      void response.writeHead(200, { "content-type": "text/event-stream" }).write(hello);
    const arrived = bench.firstText();
    const sending = bench.session.send("Hello");
    await arrived;
    const id = bench.page.arriving?.id ?? "";
    await bench.session.end("another");
    assert.ok(bench.session.busy);
    refuse(0, {});
    await bench.session.end(id);
    await bench.session.retry(id);
    await sending;
    assert.equal(bench.lastAnswer.state.kind, "complete");
    assert.equal(bench.session.transcript.turns.length, 3);
  });
});
