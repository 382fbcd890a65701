import assert from "node:assert/strict";
import type { InferenceClient } from "../../../../src/client/request/inferenceClient.ts";
import type { RequestMemory } from "../../../../src/client/request/requestMemory.ts";
import { createUndiciTransport } from "../../../../src/client/transport/undiciTransport.ts";
import {
  countRequests,
  probeIds,
  probeSteps,
} from "../../../../src/connection/compatibility/compatibility.ts";
import type {
  ProbeId,
  ProbeResult,
  ProbeStep,
} from "../../../../src/connection/compatibility/compatibility.ts";
import { verifyCompatibility } from "../../../../src/connection/compatibility/compatibilityVerification.ts";
import type { VerificationEnd } from "../../../../src/connection/compatibility/compatibilityVerification.ts";
import { diagnose } from "../../../../src/connection/diagnosis/diagnosis.ts";
import { CompatibilityStore } from "../../../../src/editor/service/compatibilityStore.ts";
import { createTranslate } from "../../../../src/text/translate.ts";
import { clientStyles } from "../../../../src/protocol/conversation/wireStyle.ts";
import type { ClientStyle } from "../../../../src/protocol/conversation/wireStyle.ts";
import { noQuirks } from "../../../service/quirks.ts";
import type { Quirks } from "../../../service/quirks.ts";
import { startReferenceService } from "../../../service/serve.ts";
import type { ReferenceService } from "../../../service/serve.ts";
import { createTestClient } from "../../client/request/testClient.ts";
import { startPlainServer } from "../../client/transport/plainServer.ts";
import { createMemento } from "../../editor/workspace/memento.ts";
import { fakeKey, soon } from "../../service/fixture.ts";

const model = "service-core";

const said = (message: object): [number, object] => [200, { choices: [{ message }] }];
const refusedWith = (message: string): [number, object] => [400, { error: { message } }];

describe("verifyCompatibility", () => {
  const transport = createUndiciTransport({ strictCertificates: true });
  const t = createTranslate();
  let service: ReferenceService;
  let key: string;
  let store: CompatibilityStore;
  let steps: ProbeStep[];

  before(async () => {
    service = await startReferenceService();
  });
  beforeEach(() => {
    service.quirks = noQuirks;
    service.journal.clear();
    key = service.keys.add({}, fakeKey("probes"));
    store = new CompatibilityStore(createMemento());
    steps = [];
  });
  after(async () => {
    await transport.close();
    await service.close();
  });

  interface Ran {
    readonly end: VerificationEnd;
    readonly results: readonly ProbeResult[];
  }

  async function verify(
    styles: readonly ClientStyle[],
    chosen: readonly ProbeId[],
    signal: AbortSignal = soon(),
    origin: string = service.origin,
    onStep: (step: ProbeStep) => void = () => undefined,
  ): Promise<Ran> {
    const results: ProbeResult[] = [];
    const end = await verifyCompatibility(
      {
        model,
        steps: probeSteps(styles, chosen),
        memory: store,
        createClient: (memory: RequestMemory): InferenceClient =>
          createTestClient({ transport, origin, key, memory }),
        diagnose: (failure) => diagnose(failure, { model, origin }, t),
        now: () => new Date(),
        t,
        onStep: (step) => {
          steps.push(step);
          onStep(step);
        },
        onResult: (result) => results.push(result),
      },
      signal,
    );
    return { end, results };
  }

  const statesOf = ({ results }: Ran): Record<string, string> =>
    Object.fromEntries(results.map(({ probe, state }) => [probe, state]));

  for (const style of clientStyles) {
    const asked = () => ({ origin: service.origin, model, clientStyle: style });

    it(`finds all features of a full service, with the announced number of requests (${style})`, async () => {
      const ran = await verify([style], probeIds);
      assert.deepEqual(ran.end, { kind: "complete" });
      assert.deepEqual(statesOf(ran), Object.fromEntries(probeIds.map((probe) => [probe, "yes"])));
      assert.equal(service.journal.entries.length, countRequests(steps));
      assert.equal(countRequests(steps), probeIds.length + 1);
      // A tool's round trip has two requests. Its result has only the ID of the second one.
      const call = probeIds.indexOf("tools");
      assert.deepEqual(
        ran.results.map(({ requestId }) => requestId),
        service.journal.entries.filter((_, index) => index !== call).map(({ requestId }) => requestId),
      );
      assert.ok(ran.results.every(({ evidence }) => evidence.length > 5));
    });

    const unheeded: readonly (readonly [ProbeId, Quirks["ignore"][number], string, RegExp])[] = [
      ["streaming", "stream", "unclear", /in one piece/],
      ["usage", "usage", style === "messages" ? "yes" : "no", /counts|tokens/],
      ["system", "system", "unclear", /Accepted, but without effect/],
      ["turns", "history", "unclear", /Accepted, but without effect/],
      ["tools", "tools", "unclear", /the model didn't call the tool/],
      ["image", "images", "unclear", /Accepted, but without effect/],
      ["pdf", "pdfs", "unclear", /Accepted, but the model answered without reading the file/],
      ["effort", "effort", "unclear", /Accepted, but no reasoning arrived/],
      ["stop-reason", "stop-reason", "no", /reported no stop reason/],
      ["max-tokens", "max-tokens", "no", /without effect: the service reported \d+ generated tokens/],
    ];
    for (const [probe, ignored, state, evidence] of unheeded) {
      it(`detects that a service accepts ${probe} but ignores it (${style})`, async () => {
        service.quirks = { ...noQuirks, ignore: [ignored] };
        const { results } = await verify([style], [probe]);
        assert.equal(results[0]?.state, state);
        assert.match(results[0]?.evidence ?? "", evidence);
      });
    }

    const refused: readonly (readonly [ProbeId, string])[] = [
      ["streaming", "stream"],
      ["system", "system"],
      ["tools", "tools"],
      ["image", "images"],
      ["pdf", "pdfs"],
    ];
    for (const [probe, field] of refused) {
      it(`detects that ${probe} is refused, with one unbilled request and its ID (${style})`, async () => {
        service.quirks = { ...noQuirks, refuse: [field] };
        const { results } = await verify([style], [probe]);
        assert.deepEqual([results[0]?.state, results[0]?.status], ["no", 400]);
        assert.match(results[0]?.evidence ?? "", /^Refused\. “/);
        assert.equal(results[0]?.requestId, service.journal.entries[0]?.requestId);
        assert.equal(service.keys.spent(key), 0);
        assert.equal(service.journal.entries.length, 1);
      });
    }

    it(`omits refused fields from later requests, even in a new window (${style})`, async () => {
      const memento = createMemento();
      store = new CompatibilityStore(memento);
      service.quirks = { ...noQuirks, refuse: ["tools", "system", "stream"] };
      await verify([style], probeIds);
      service.journal.clear();
      const memory = new CompatibilityStore(memento);
      const client = createTestClient({ transport, origin: service.origin, key, memory });
      const request = {
        model,
        maxTokens: 9,
        stream: true,
        tools: [{ name: "read", description: "", schema: {} }],
        messages: [
          { role: "system" as const, content: [{ type: "text" as const, text: "Be brief." }] },
          { role: "user" as const, content: [{ type: "text" as const, text: "Hello" }] },
        ],
      };
      for await (const _parts of client.streamChat(style, request, soon()));
      assert.equal(service.journal.entries.length, 1);
      assert.deepEqual(service.journal.entries[0]?.fields?.toSorted(), ["max_tokens", "messages", "model"]);
      assert.deepEqual(memory.adaptationsFor({ ...asked(), model: "another" }), []);
    });

    it(`completes a tool's round trip with a service that requires its reasoning back (${style})`, async () => {
      service.quirks = { ...noQuirks, demandsReasoning: true };
      const { results } = await verify([style], ["tools"]);
      assert.equal(results[0]?.state, "yes", results[0]?.evidence);
      assert.match(
        results[0].evidence,
        /^The model called look_up_word with “\{"number":7\}”. The answer used the tool result: “/,
      );
      assert.deepEqual(
        service.journal.entries.map(({ status }) => status),
        [200, 200],
      );
    });

    it(`leaves the other features of an unavailable client style unknown after one request (${style})`, async () => {
      service.quirks = { ...noQuirks, styles: clientStyles.filter((other) => other !== style) };
      const ran = await verify(clientStyles, ["whole-answer", "tools"]);
      assert.deepEqual(ran.end, { kind: "complete" });
      const own = ran.results.filter(({ clientStyle }) => clientStyle === style);
      assert.deepEqual(
        own.map(({ probe, state }) => [probe, state]),
        [["whole-answer", "no"]],
      );
      assert.match(own[0]?.evidence ?? "", /Not available in this client style/);
      assert.equal(ran.results.length, 3);
    });

    it(`stops with a diagnosis if the budget is spent, and leaves the rest unknown (${style})`, async () => {
      service.keys.change(key, { budget: 1 });
      const ran = await verify([style], ["whole-answer", "usage", "tools"]);
      assert.ok(ran.end.kind === "failed");
      assert.equal(ran.end.diagnosis.cause, "budget-exhausted");
      assert.deepEqual(statesOf(ran), { "whole-answer": "yes" });
      assert.equal(service.journal.entries.length, 2);
    });
  }

  it("stops without results if the key is refused", async () => {
    service.keys.revoke(key);
    const ran = await verify(clientStyles, probeIds);
    assert.ok(ran.end.kind === "failed");
    assert.equal(ran.end.diagnosis.cause, "revoked-key");
    assert.deepEqual([ran.results.length, service.journal.entries.length], [0, 1]);
  });

  it("states the required name of max_tokens, and uses that name from then on", async () => {
    service.quirks = { ...noQuirks, refuse: ["max_tokens"] };
    const ran = await verify(["chat-completions"], ["max-tokens", "stop-reason"]);
    assert.deepEqual(statesOf(ran), { "stop-reason": "yes", "max-tokens": "yes" });
    assert.match(ran.results[0]?.evidence ?? "", /sent as max_completion_tokens/);
    assert.equal(service.journal.entries.length, 3);
  });

  it("aborts the running request when it is canceled", async () => {
    const stopping = new AbortController();
    service.pace = 60_000;
    const running = verify(["messages"], ["whole-answer", "tools"], stopping.signal);
    await service.journal.next(({ inputTokens }) => inputTokens > 0, soon());
    stopping.abort();
    const ran = await running;
    service.pace = 0;
    assert.deepEqual([ran.end.kind, ran.results.length, steps.length], ["cancelled", 0, 1]);
    await service.journal.next(({ state }) => state === "aborted", soon());
  });

  it("counts an unspecific refusal as proof only if other requests succeeded", async () => {
    await using closing = new AsyncDisposableStack();
    const server = closing.adopt(await startPlainServer(), (plain) => plain.close());
    server.answer = (request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        const isRefused = body.includes('"image_url"');
        response.writeHead(isRefused ? 400 : 200, { "content-type": "application/json" });
        const answer = { choices: [{ message: { content: "READY" }, finish_reason: "stop" }] };
        response.end(JSON.stringify(isRefused ? { error: { message: "Bad request." } } : answer));
      });
    };
    const alone = await verify(["chat-completions"], ["image"], soon(), server.origin);
    assert.deepEqual(statesOf(alone), { image: "unclear" });
    const after = await verify(["chat-completions"], ["image", "whole-answer"], soon(), server.origin);
    assert.deepEqual(statesOf(after), { "whole-answer": "yes", image: "no" });
  });

  it("states which step of a tool's round trip failed", async () => {
    await using closing = new AsyncDisposableStack();
    const server = closing.adopt(await startPlainServer(), (plain) => plain.close());
    let answers: readonly (readonly [number, object])[] = [];
    server.answer = (_request, response) => {
      const [status, body] = answers[0] ?? [500, {}];
      answers = answers.slice(1);
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    };
    const call = {
      id: "c1",
      type: "function",
      function: { name: "look_up_word", arguments: '{"number":7}' },
    };
    const other = { ...call, function: { name: "else", arguments: "{}" } };
    const odd = { ...call, function: { name: "look_up_word", arguments: "7" } };
    const calls = said({ tool_calls: [call] });
    const cases: readonly (readonly [readonly (readonly [number, object])[], string, RegExp])[] = [
      [
        [calls, said({ content: "It is Marigold." })],
        "yes",
        /The answer used the tool result: “It is Marigold\.”$/,
      ],
      [
        [said({ content: "MARIGOLD" })],
        "unclear",
        /^Accepted, but the model didn't call the tool\. Answer: “MARIGOLD”/,
      ],
      [[said({ tool_calls: [other] })], "unclear", /^The model called a different tool/],
      [[said({ tool_calls: [odd] })], "unclear", /arguments that aren't valid JSON/],
      [
        [calls, said({ content: "I can't tell." })],
        "unclear",
        /The tool result was accepted, but the answer didn't use it: “I can't tell\.”/,
      ],
      [[calls, calls], "unclear", /The model called a tool again instead of answering$/],
      [[calls, said({ content: " " })], "unclear", /No answer came after the tool result$/],
      [
        [calls, refusedWith("role tool is not one of system, user, assistant")],
        "no",
        /^The model called look_up_word with “.*”. The request with the tool result failed: Refused\. “role tool/,
      ],
      [[calls, refusedWith("Bad request.")], "no", /The request with the tool result failed/],
      [
        [calls, [500, { error: { message: "Oops" } }]],
        "unclear",
        /The request with the tool result failed: Failed/,
      ],
    ];
    for (const [given, state, evidence] of cases) {
      answers = given;
      const { end, results } = await verify(["chat-completions"], ["tools"], soon(), server.origin);
      assert.deepEqual([end.kind, results[0]?.state], ["complete", state], results[0]?.evidence);
      assert.match(results[0]?.evidence ?? "", evidence);
      assert.equal(answers.length, 0);
    }
    answers = [calls, [401, { error: { message: "Incorrect API key provided" } }]];
    const stopped = await verify(["chat-completions"], ["tools"], soon(), server.origin);
    assert.deepEqual([stopped.end.kind, stopped.results.length], ["failed", 0]);
  });

  it("doesn't mistake a router's known 404, or a 404 after an answer, for a missing path", async () => {
    await using closing = new AsyncDisposableStack();
    const server = closing.adopt(await startPlainServer(), (plain) => plain.close());
    let refusal = "No endpoints found that support image input";
    server.answer = (request, response) => {
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () => {
        const isRefused = body.includes('"image_url"');
        response.writeHead(isRefused ? 404 : 200, { "content-type": "application/json" });
        const answer = { choices: [{ message: { content: "READY" }, finish_reason: "stop" }] };
        response.end(JSON.stringify(isRefused ? { error: { message: refusal } } : answer));
      });
    };
    const alone = await verify(["chat-completions"], ["image"], soon(), server.origin);
    assert.deepEqual(statesOf(alone), { image: "no" });
    assert.match(alone.results[0]?.evidence ?? "", /^Refused/);
    refusal = "Nothing here";
    const after = await verify(
      ["chat-completions"],
      ["whole-answer", "image", "max-tokens"],
      soon(),
      server.origin,
    );
    assert.deepEqual(after.end, { kind: "complete" });
    assert.deepEqual(statesOf(after), { "whole-answer": "yes", image: "unclear", "max-tokens": "unclear" });
    assert.doesNotMatch(JSON.stringify(after.results), /Not available in this client style/);
  });

  it("redacts a key that a service repeats in its answers", async () => {
    // No pattern recognizes this form as a key.
    key = ["wd7fk2", "pq9xlm3za4"].join("");
    await using closing = new AsyncDisposableStack();
    const server = closing.adopt(await startPlainServer(), (plain) => plain.close());
    const calls = [
      { id: key, type: "function", function: { name: key, arguments: JSON.stringify({ city: key }) } },
    ];
    const message = { content: `${key} and so on`, tool_calls: calls };
    server.answer = (_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ choices: [{ message, finish_reason: key }] }));
    };
    const { results } = await verify(["chat-completions"], probeIds, soon(), server.origin);
    assert.equal(results.length, probeIds.length);
    assert.ok(!JSON.stringify(results).includes(key));
    assert.match(JSON.stringify(results), /\[API key\]/);
  });
});
