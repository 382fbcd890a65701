import assert from "node:assert/strict";
import { visibleTurns } from "../../../../src/chat/transcript/transcript.ts";
import type { Chat } from "../../../../src/editor/chat/chat.ts";
import { answer as answerTurn, asked, reduce } from "../../chat/transcript/sampleEvents.ts";
import { attachment, Desk, nothingAdded, questionsOf, WorkingAnswer } from "./questionDesk.ts";

describe("a message sent while an answer works", () => {
  it("takes the attachments of the composer along with the next request", async () => {
    const desk = new Desk();
    const answer = new WorkingAnswer(desk);
    const answered = desk.questions.send("Explain");
    await answer.called.promise;
    desk.chat.attach([attachment]);
    desk.type("and a.ts");
    await desk.questions.send("and a.ts");
    assert.deepEqual(desk.chat.attachments, []);
    assert.ok(!desk.chat.idle);
    // The window can close before a request takes the message.
    assert.equal(desk.stored.get(desk.chat.id), "and a.ts");
    assert.deepEqual(desk.savedAttachments, [attachment]);
    answer.finish.resolve(undefined);
    await answered;
    assert.match(JSON.stringify(desk.sentMessages[1]), /name=\\"a\.ts\\".*and a\.ts/);
    assert.equal(desk.stored.get(desk.chat.id), "");
    assert.deepEqual(desk.savedAttachments, []);
    assert.deepEqual(desk.restored, []);
  });

  it("returns to the composer with its attachments if no request takes it", async () => {
    const desk = new Desk();
    const answer = new WorkingAnswer(desk);
    const answered = desk.questions.send("Explain");
    await answer.called.promise;
    desk.chat.attach([attachment]);
    await desk.questions.send("and a.ts");
    const later = { ...attachment, id: "b", name: "b.ts" };
    desk.chat.attach([later]);
    desk.chat.session.stop();
    answer.finish.resolve(undefined);
    await answered;
    await new Promise(setImmediate);
    assert.equal(desk.sentMessages.length, 1);
    assert.deepEqual(desk.restored, ["and a.ts"]);
    assert.equal(desk.stored.get(desk.chat.id), "and a.ts");
    assert.deepEqual(desk.chat.attachments, [attachment, later]);
    assert.deepEqual(desk.savedAttachments, [attachment, later]);
  });

  for (const changed of ["connection", "host"])
    it(`returns to the composer with its attachments if the chat uses another ${changed} by then`, async () => {
      let origin = "https://one.example";
      let told = 0;
      const desk = new Desk({
        origin: () => origin,
        dialogs: { showStillAnswering: () => void (told += 1) },
        cleanQuestion: (text) => {
          if (text !== "for the other") return Promise.resolve(text);
          if (changed === "host") origin = "https://two.example";
          else desk.chat.select({ connection: "Globex", model: "service-core" });
          return Promise.resolve(text);
        },
      });
      const answer = new WorkingAnswer(desk);
      const answered = desk.questions.send("Explain");
      await answer.called.promise;
      desk.chat.attach([attachment]);
      await desk.questions.send("for the other");
      answer.finish.resolve(undefined);
      await answered;
      assert.deepEqual([desk.restored, told], [["for the other"], 1]);
      assert.equal(desk.stored.get(desk.chat.id), "for the other");
      assert.deepEqual(desk.chat.attachments, [attachment]);
      assert.doesNotMatch(JSON.stringify(desk.sentMessages), /for the other/);
    });

  it("returns to the composer if it is /compact", async () => {
    const desk = new Desk();
    const answer = new WorkingAnswer(desk);
    const answered = desk.questions.send("Explain");
    await answer.called.promise;
    desk.chat.attach([attachment]);
    await desk.questions.send("/compact");
    answer.finish.resolve(undefined);
    await answered;
    assert.deepEqual([desk.restored, desk.notCompacted], [["/compact"], ["arriving"]]);
    assert.deepEqual(desk.chat.attachments, [attachment]);
    assert.doesNotMatch(JSON.stringify(desk.sentMessages), /compact/);
  });

  it("becomes a question if the answer ends while its attachments are read", async () => {
    const reading = Promise.withResolvers<undefined>();
    let isReading = false;
    const desk = new Desk({ settled: () => (isReading ? reading.promise : Promise.resolve()) });
    const answer = new WorkingAnswer(desk);
    const answered = desk.questions.send("Explain");
    await answer.called.promise;
    isReading = true;
    const sent = desk.questions.send("and a.ts");
    answer.finish.resolve(undefined);
    await answered;
    desk.chat.attach([attachment]);
    reading.resolve(undefined);
    await sent;
    assert.deepEqual(questionsOf(desk.chat), ["Explain", "and a.ts"]);
    assert.deepEqual(desk.chat.attachments, []);
    assert.equal(desk.stored.get(desk.chat.id), "");
  });
});

describe("a question being sent", () => {
  it("stays a draft until it is asked, with all text typed in the meantime", async () => {
    const during: (string | undefined)[] = [];
    const desk: Desk = new Desk({
      mayAsk: () => {
        during.push(desk.stored.get(desk.chat.id));
        desk.type("the next one");
        during.push(desk.stored.get(desk.chat.id));
        return "yes";
      },
    });
    desk.type("Hello");
    await desk.questions.send("Hello");
    assert.deepEqual(during, ["Hello", "the next one\n\nHello"]);
    assert.equal(desk.stored.get(desk.chat.id), "the next one");
    assert.deepEqual(questionsOf(desk.chat), ["Hello"]);
  });

  it("is asked before a later one, even if its key check is slower", async () => {
    const found = Promise.withResolvers<string>();
    const desk = new Desk({
      cleanQuestion: (text) => (text === "first" ? found.promise : Promise.resolve(text)),
    });
    const sent = ["first", "second"].map((text) => desk.questions.send(text));
    await new Promise(setImmediate);
    found.resolve("first");
    await Promise.all(sent);
    assert.equal(desk.chat.title, "first");
    assert.deepEqual(desk.restored, ["second"]);
  });

  it("returns to the composer if it is declined or fails, if no connection is bound, or if the page closes", async () => {
    const failure = new Error("Git failed");
    const refused = new Desk({ mayAsk: () => "no" });
    const failed = new Desk({ prepare: () => Promise.reject(failure) });
    const unbound = new Desk();
    unbound.unbound = new Error("Not bound");
    const closing: Desk = new Desk({
      mayAsk: () => {
        closing.isClosing = true;
        return "yes";
      },
    });
    for (const [desk, thrown] of [
      [refused, undefined],
      [failed, failure],
      [unbound, unbound.unbound],
      [closing, undefined],
    ] as const) {
      desk.type("Hello");
      desk.chat.attach([attachment]);
      const sent = desk.questions.send("Hello");
      await (thrown === undefined ? sent : assert.rejects(sent, thrown));
      assert.deepEqual(desk.restored, ["Hello"]);
      assert.equal(desk.chat.draft, "Hello");
      assert.equal(desk.stored.get(desk.chat.id), "Hello");
      assert.deepEqual(desk.chat.attachments, [attachment]);
      assert.deepEqual(questionsOf(desk.chat), []);
    }
  });

  it("returns to the composer if the connection changes after its approval", async () => {
    let connection = "Acme";
    let told = 0;
    const desk = new Desk({
      connectionName: () => connection,
      dialogs: { showMoved: () => void (told += 1) },
      cleanQuestion: (text) => {
        connection = "Globex";
        return Promise.resolve(text);
      },
    });
    desk.type("Hello");
    await desk.questions.send("Hello");
    assert.deepEqual([desk.restored, questionsOf(desk.chat), told], [["Hello"], [], 1]);
  });

  it("is not sent if the chat shows another version or its connection another host after the consent", async () => {
    for (const moves of ["cleanQuestion", "mayAsk"] as const)
      for (const moved of ["version", "host"]) {
        let [origin, told, isMoving] = ["https://one.example", 0, false];
        const other = { ...answerTurn("other", ""), connection: "Globex" };
        const move = (): void => {
          if (!isMoving) return;
          if (moved === "host") origin = "https://two.example";
          else desk.chat.session.selectVersion(other.id);
        };
        const desk: Desk = new Desk({
          origin: () => origin,
          dialogs: { showMoved: () => void (told += 1) },
          cleanQuestion: (text) => {
            if (moves === "cleanQuestion") move();
            return Promise.resolve(text);
          },
          mayAsk: () => {
            if (moves === "mayAsk") move();
            return "yes";
          },
        });
        await desk.questions.send("Hello");
        const { transcript } = desk.chat.session;
        const [first, last] = transcript.turns;
        assert.ok(first !== undefined && last !== undefined);
        desk.chat.session.replace({
          ...transcript,
          turns: [...transcript.turns, { ...other, parentId: first.id }],
        });
        isMoving = true;
        desk.type("Explain");
        await desk.questions.send("Explain");
        assert.deepEqual([desk.restored, told, desk.sentMessages.length], [["Explain"], 1, 1]);
        if (moves === "cleanQuestion") continue;
        origin = "https://one.example";
        desk.chat.session.selectVersion(last.id);
        await desk.questions.retry(last.id);
        assert.deepEqual([told, desk.sentMessages.length], [2, 1]);
      }
  });

  it("keeps the turns of other windows away while the user consents to a retry", async () => {
    let isResting: boolean | undefined;
    const desk: Desk = new Desk({
      mayAsk: () => {
        isResting = desk.chat.resting;
        return "yes";
      },
    });
    await desk.questions.send("Hello");
    await desk.questions.retry(desk.chat.session.transcript.leafId ?? assert.fail());
    assert.equal(isResting, false);
    assert.ok(desk.chat.resting);
  });

  it("is not sent if the page shows another chat, and waits in its own with its attachments", async () => {
    const desk: Desk = new Desk({
      prepare: () => {
        desk.goTo(other);
        return Promise.resolve({ added: nothingAdded });
      },
    });
    const origin = desk.chat;
    const other = desk.newChat();
    desk.type("/form");
    origin.attach([attachment]);
    await desk.questions.send("/form");
    assert.deepEqual([questionsOf(origin), questionsOf(other)], [[], []]);
    assert.deepEqual([origin.draft, other.draft], ["/form", ""]);
    assert.deepEqual([origin.attachments, other.attachments], [[attachment], []]);
    assert.deepEqual([desk.toldWaiting, desk.restored], [1, []]);
  });

  it("returns to the composer if its page is outdated, or to its own chat if it is an edited question", () => {
    const desk = new Desk();
    const origin = desk.chat;
    desk.type("Hello");
    desk.goTo(desk.newChat());
    desk.type("something else");
    desk.questions.restoreOutdated(origin.id, { type: "send", text: "Hello" });
    assert.deepEqual([origin.draft, desk.chat.draft], ["", "something else\n\nHello"]);
    assert.deepEqual([desk.restored, desk.toldWaiting], [["Hello"], 0]);
    desk.questions.restoreOutdated(origin.id, { type: "edit", turnId: "turn", text: "Or rather" });
    assert.deepEqual(desk.texts.inEdits(origin.id), { turn: "Or rather" });
    assert.deepEqual(desk.texts.inEdits(desk.chat.id), {});
    assert.deepEqual([desk.reopened, desk.toldWaiting], [[], 1]);
  });

  it("goes to a new chat with its attachments if the user wants that", async () => {
    const desk = new Desk({ mayAsk: () => "in-new-chat" });
    const origin = desk.chat;
    desk.type("Hello");
    origin.attach([attachment]);
    await desk.questions.send("Hello");
    assert.notEqual(desk.chat, origin);
    assert.deepEqual([questionsOf(origin), questionsOf(desk.chat)], [[], ["Hello"]]);
    assert.equal(origin.draft, "");
    assert.deepEqual(origin.attachments, []);
    const [question] = desk.chat.session.transcript.turns;
    assert.ok(question?.kind === "question");
    assert.deepEqual(question.attachments, [attachment]);
  });

  it("does not change the composer's draft if it replaces a question, even in a new chat", async () => {
    let isNew = false;
    const desk = new Desk({ mayAsk: () => (isNew ? "in-new-chat" : "yes") });
    await desk.questions.send("Hello");
    const origin = desk.chat;
    const [question] = origin.session.transcript.turns;
    assert.ok(question !== undefined);
    isNew = true;
    desk.type("something else");
    origin.attach([attachment]);
    await desk.questions.send("Hello again", question.id);
    assert.deepEqual([questionsOf(origin), questionsOf(desk.chat)], [["Hello"], ["Hello again"]]);
    assert.equal(origin.draft, "something else");
    assert.equal(desk.stored.get(origin.id), "something else");
    assert.deepEqual(origin.attachments, [attachment]);
  });

  it("is stored as an edit of the question that it replaces, and stays there if it is refused", async () => {
    const during: unknown[] = [];
    let typed: string | undefined;
    let isRefused = true;
    const desk: Desk = new Desk({
      mayAsk: () => {
        const origin = desk.chat;
        if (origin.session.transcript.turns.length === 0) return "yes";
        during.push(desk.storedEdits.get(origin.id), desk.texts.inEdits(origin.id));
        if (typed !== undefined) desk.texts.type({ chatId: desk.chat.id, turnId, text: typed });
        return isRefused ? "no" : "yes";
      },
    });
    await desk.questions.send("Hello");
    const { id: turnId } = desk.chat.session.transcript.turns[0] ?? assert.fail();
    desk.type("something else");
    await desk.questions.send("Hello again", turnId);
    assert.deepEqual(during, [{ [turnId]: "Hello again" }, {}], "on the disk, and in no editor meanwhile");
    assert.deepEqual([desk.reopened, desk.restored], [[turnId], []]);
    assert.deepEqual(desk.texts.inEdits(desk.chat.id), { [turnId]: "Hello again" });
    assert.deepEqual([desk.stored.get(desk.chat.id), desk.chat.attachments], ["something else", []]);
    typed = "Or rather";
    await desk.questions.send("Hello again", turnId);
    assert.deepEqual(desk.texts.inEdits(desk.chat.id), { [turnId]: "Or rather\n\nHello again" });
    isRefused = false;
    await desk.questions.send("Hello again", turnId);
    assert.deepEqual(desk.texts.inEdits(desk.chat.id), { [turnId]: "Or rather" }, "typed since");
    typed = undefined;
    await desk.questions.send("Or rather", turnId);
    assert.deepEqual([desk.storedEdits.get(desk.chat.id), desk.reopened.length], [{}, 2]);
  });

  it("keeps the prepared prompt and the attachments of the question that it replaces", async () => {
    const givens: unknown[] = [];
    const desk = new Desk({
      prepare: (text, attachments, preparedPrompt) => {
        givens.push(preparedPrompt === undefined ? undefined : { attachments, preparedPrompt });
        return Promise.resolve({
          prompt: { name: "explain", text: `Explain ${text}` },
          added: nothingAdded,
        });
      },
    });
    await desk.questions.send("/explain closures");
    const { id } = desk.chat.session.transcript.turns[0] ?? assert.fail();
    await desk.questions.send("/explain monads", id);
    assert.deepEqual(givens, [undefined, { attachments: [], preparedPrompt: "explain" }]);
  });

  it("follows the turns on the screen, even if other windows add turns in the meantime", async () => {
    const desk: Desk = new Desk({
      mayAsk: () => {
        const origin = desk.chat;
        const { turns } = origin.session.transcript;
        const [other] = reduce([asked("other")]).turns;
        origin.applyStored({ turns: [...turns, other ?? assert.fail()], arriving: null, leafId: "other" });
        return "yes";
      },
    });
    await desk.questions.send("Hello");
    assert.deepEqual(questionsOf(desk.chat), ["Hello"]);
    assert.equal(desk.chat.session.transcript.turns.length, 2);
    await desk.questions.continue();
    assert.deepEqual(questionsOf(desk.chat), ["Hello", "Continue."]);
    assert.equal(desk.chat.session.transcript.turns.length, 4);
  });

  it("does not continue an answer that has only reasoning", async () => {
    const desk = new Desk();
    desk.answersText = false;
    await desk.questions.send("Hello");
    await desk.questions.continue();
    assert.deepEqual(questionsOf(desk.chat), ["Hello"]);
    assert.equal(desk.sentMessages.length, 1);
  });

  it("has the same instructions when it continues an answer", async () => {
    const desk = new Desk();
    await desk.questions.send("Hello");
    await desk.questions.continue();
    assert.deepEqual(questionsOf(desk.chat), ["Hello", "Continue."]);
    const systems = desk.sentMessages.map((messages) => messages.find(({ role }) => role === "system"));
    assert.match(JSON.stringify(systems[1]), /Be brief\./);
    assert.deepEqual(systems[1], systems[0]);
  });

  it("continues an answer with the same model and style at the same connection", async () => {
    let connection = "Acme";
    const desk = new Desk({ connectionName: () => connection });
    const modelsOf = (): readonly string[] =>
      visibleTurns(desk.chat.session.transcript).flatMap((turn) =>
        turn.kind === "answer" ? [`${turn.model} ${turn.clientStyle}`] : [],
      );
    await desk.questions.send("Hello");
    const first = desk.chat.session.transcript.turns.at(-1) ?? assert.fail();
    await desk.questions.retry(first.id, {
      connection: "Acme",
      model: "service-mini",
      clientStyle: "messages",
    });
    await desk.questions.continue();
    assert.deepEqual(modelsOf(), ["service-mini messages", "service-mini messages"]);
    connection = "Beta";
    await desk.questions.continue();
    assert.equal(modelsOf().at(-1), "service-core chat-completions");
  });

  it("does not continue an answer in a new chat, and the user is told there", async () => {
    let isNew = false;
    const told: Chat[] = [];
    const desk: Desk = new Desk({
      mayAsk: () => (isNew ? "in-new-chat" : "yes"),
      dialogs: { showNotContinued: () => void told.push(desk.chat) },
    });
    const origin = desk.chat;
    await desk.questions.send("Hello");
    isNew = true;
    await desk.questions.continue();
    assert.notEqual(desk.chat, origin);
    assert.deepEqual(told, [desk.chat]);
    assert.deepEqual([questionsOf(origin), questionsOf(desk.chat)], [["Hello"], []]);
  });

  it("does not continue or retry an answer if the page shows another chat", async () => {
    let other: Chat | undefined;
    const desk: Desk = new Desk({
      mayAsk: () => {
        if (other !== undefined) desk.goTo(other);
        return "yes";
      },
    });
    const origin = desk.chat;
    await desk.questions.send("Hello");
    const answer = origin.session.transcript.turns.at(-1);
    assert.ok(answer !== undefined);
    other = desk.newChat();
    await desk.questions.continue();
    desk.goTo(origin);
    await desk.questions.retry(answer.id);
    assert.equal(desk.sentMessages.length, 1);
  });
});

describe("a question in a mode that cannot be used", () => {
  const asks: string[] = [];
  /** Replies to the question about Ask mode. Only `service-mini` cannot call tools, unless `always` is set. */
  const desk = (isAgreed: boolean, always = true): Desk => {
    asks.splice(0);
    const made = new Desk({
      obstacleTo: (_, choice) => (always || choice?.model === "service-mini" ? "no-tools" : undefined),
      dialogs: {
        confirmAskMode: async ({ mode }, obstacle) => {
          asks.push(`${mode} ${obstacle}`);
          return isAgreed;
        },
      },
    });
    made.chat.mode = "plan";
    return made;
  };

  it("is not sent if the user does not agree to Ask mode, and returns to the composer", async () => {
    const refused = desk(false);
    await refused.questions.send("Hello");
    assert.deepEqual(asks, ["plan no-tools"]);
    assert.deepEqual(refused.restored, ["Hello"]);
    assert.deepEqual(refused.sentMessages, []);
    assert.equal(refused.chat.mode, "plan");
  });

  it("is sent if the user agrees, and the chat shows Ask mode from then on", async () => {
    const agreed = desk(true);
    await agreed.questions.send("Hello");
    assert.equal(agreed.sentMessages.length, 1);
    assert.equal(agreed.chat.mode, "ask");
    await agreed.questions.send("And now?");
    assert.equal(asks.length, 1);
  });

  it("is not sent by Retry, Continue or another model either", async () => {
    const refused = desk(false);
    refused.chat.mode = "ask";
    await refused.questions.send("Hello");
    refused.chat.mode = "plan";
    const turnId = refused.chat.session.transcript.leafId ?? assert.fail();
    await refused.questions.retry(turnId);
    await refused.questions.continue();
    await refused.questions.retry(turnId, {
      connection: "Acme",
      model: "service-mini",
      clientStyle: "messages",
    });
    assert.equal(asks.length, 3);
    assert.equal(refused.sentMessages.length, 1);
  });

  it("keeps the chat's mode if only the model of one answer cannot call tools", async () => {
    const agreed = desk(true, false);
    await agreed.questions.send("Hello");
    assert.deepEqual(asks, []);
    const turnId = agreed.chat.session.transcript.leafId ?? assert.fail();
    await agreed.questions.retry(turnId, {
      connection: "Acme",
      model: "service-mini",
      clientStyle: "messages",
    });
    assert.deepEqual(asks, ["plan no-tools"]);
    assert.equal(agreed.sentMessages.length, 2);
    assert.equal(agreed.chat.mode, "plan");
  });

  it("is asked in the shown mode if it goes to a new chat", async () => {
    const moved = new Desk({ mayAsk: () => "in-new-chat" });
    moved.chat.mode = "plan";
    const { chat } = moved;
    await moved.questions.send("Hello");
    assert.notEqual(moved.chat, chat);
    assert.equal(moved.chat.mode, "plan");
  });
});
