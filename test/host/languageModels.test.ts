import assert from "node:assert/strict";
import * as vscode from "vscode";
import { picture } from "../../src/connection/compatibility/probes.ts";
import { clientStyles } from "../../src/protocol/conversation/wireStyle.ts";
import type { PlannedCalls } from "../service/localGeneration.ts";
import { startReferenceService } from "../service/serve.ts";
import { tellFigure } from "../support/figures.ts";
import { startPlainServer } from "../unit/client/transport/plainServer.ts";
import { soon } from "../unit/service/fixture.ts";
import {
  ask,
  assistant,
  capabilitiesOf,
  dataPart,
  failureOf,
  findModel,
  findModels,
  isOldestEditor,
  user,
  waitForModels,
} from "./stranger.ts";
import { startRecorder } from "./recorder.ts";
import { writeCapabilities, writeConnections, writeMaxTokens } from "./testConnections.ts";
import { withOwnService } from "./withOwnService.ts";

const emptyVariable = "INFERENCE_HOST_TEST_NO_KEY";
const placeTool: vscode.LanguageModelChatTool = {
  name: "get_weather",
  description: "Tells the weather.",
  inputSchema: { type: "object", properties: { place: { type: "string" } } },
};
const clockTool: vscode.LanguageModelChatTool = { name: "get_time", description: "Tells the time." };

/** Takes the sentences of a message for itself, or what a test plans. */
let planned: PlannedCalls = () => undefined;

const areThree = (models: readonly unknown[]): boolean => models.length === 3;

describe("models for other extensions", () => {
  const connection = withOwnService("Acme", { calls: (each) => planned(each) });
  const { service, key, keyVariable, asks: asked } = connection;
  const posts = () => service.journal.entries.filter(({ method }) => method === "POST");

  beforeEach(() => {
    planned = () => undefined;
  });
  afterEach(async () => {
    await writeCapabilities(undefined);
    await writeMaxTokens(undefined);
  });

  it("are there from the start by the model in use, and all once they were listed, without a request of their own", async () => {
    await connection.connect();
    const model = await findModel(connection.name);
    assert.deepEqual(
      [model.id, model.name, model.family, model.version, model.vendor],
      [`${connection.name}/service-core`, "service-core", "service-core", "unknown", "inference"],
    );
    assert.ok(model.maxInputTokens > 100_000, "the assumed window");
    assert.equal(service.journal.entries.length, 0);
    await vscode.commands.executeCommand("inference.listModels", {});
    const listed = await waitForModels(areThree);
    assert.deepEqual(
      listed.map(({ family }) => family),
      ["service-core", "service-mini", "service-large"],
    );
    assert.equal(service.journal.entries.length, 1);
  });

  it("have the window that the service tells", async () => {
    const told = await startReferenceService({ contextWindow: 32_000 });
    process.env[keyVariable] = told.keys.add({});
    await writeConnections([{ name: "Told", baseUrl: told.origin, keyVariable }]);
    await vscode.commands.executeCommand("inference.listModels", {});
    const [model] = await waitForModels((models) => models.length === 3);
    assert.equal(model?.maxInputTokens, 32_000 - 4096);
    await told.close();
  });

  it("stay in the list without a key, and say what is missing when they are asked", async () => {
    await connection.connect();
    await vscode.commands.executeCommand("inference.listModels", {});
    await waitForModels((models) => models.length === 3);
    // Another key may see other models, so the list is forgotten, and yet better than none.
    await writeConnections([{ name: connection.name, baseUrl: service.origin, keyVariable: emptyVariable }]);
    assert.ok(areThree(isOldestEditor ? await waitForModels(areThree) : await findModels()));
    const error = await failureOf(ask(await findModel(connection.name), [user("Hello")]));
    assert.match(error.message, new RegExp(emptyVariable));
    assert.equal(posts().length, 0);
  });

  it("are none where the workspace is bound to no connection", async () => {
    await writeConnections([
      { name: "One", baseUrl: service.origin, keyVariable },
      { name: "Other", baseUrl: service.origin, keyVariable },
    ]);
    await waitForModels((models) => models.length === 0);
    assert.equal(service.journal.entries.length, 0);
  });

  for (const clientStyle of clientStyles) {
    describe(`over ${clientStyle}`, () => {
      beforeEach(() => connection.connect({ clientStyle }));

      it("answer piece by piece", async () => {
        service.pace = 40;
        const { text, pieces } = await ask(await findModel(connection.name), [
          user("Say it with the word heron."),
        ]);
        assert.equal(text, "heron");
        const long = await ask(await findModel(connection.name), [user("/long 300")]);
        assert.equal(long.text.length, 300);
        assert.ok(long.pieces.length > pieces.length + 3, `${long.pieces.length} pieces`);
        assert.deepEqual(
          posts().map(({ streamed }) => streamed),
          [true, true],
        );
      });

      it("call several tools at once and take their results by their ids", async () => {
        const tools = [placeTool, clockTool];
        const question = user('Call get_weather for "Ulm", and get_time.');
        const first = await ask(await findModel(connection.name), [question], { tools });
        assert.deepEqual(
          first.calls.map(({ name, input }) => [name, input]),
          [
            ["get_weather", { place: "Ulm" }],
            ["get_time", {}],
          ],
        );
        const [weather, time] = first.calls;
        assert.ok(weather !== undefined && time !== undefined && weather.callId !== time.callId);
        // In two messages and the other order, as it happens when tools take their time.
        const results = [
          user(
            new vscode.LanguageModelToolResultPart(time.callId, [new vscode.LanguageModelTextPart("Noon.")]),
          ),
          user(
            new vscode.LanguageModelToolResultPart(weather.callId, [
              new vscode.LanguageModelTextPart("Rain."),
            ]),
          ),
        ];
        const second = await ask(
          await findModel(connection.name),
          [question, assistant(...first.calls), ...results],
          {
            tools,
          },
        );
        assert.equal(second.text, "The tool answered: Noon.\nThe tool answered: Rain.\n");
      });

      it("may be asked with forty tools, and made to call one", async () => {
        const tools = Array.from({ length: 40 }, (_, index) => ({ ...placeTool, name: `tool_${index}` }));
        const { calls } = await ask(await findModel(connection.name), [user("Hello")], {
          tools,
          toolMode: vscode.LanguageModelChatToolMode.Required,
        });
        assert.equal(calls.length, 1);
        assert.equal(asked[0]?.tools.length, 40);
        assert.equal(asked[0].toolChoice, "required");
        const free = await ask(await findModel(connection.name), [user("Hello")], { tools });
        assert.equal(free.calls.length, 0);
        // On the last tool and the newest message, so that the next request costs less.
        const marks = clientStyle === "messages" ? 2 : 0;
        assert.deepEqual(
          posts().map(({ cacheMarks }) => cacheMarks),
          [marks, marks],
        );
      });

      it("fail where a tool is called with what cannot be read", async () => {
        planned = () => [{ name: "get_weather", arguments: '{"place": "Ul' }];
        const asking = ask(await findModel(connection.name), [user("Hello")], { tools: [placeTool] });
        const error = await failureOf(asking);
        assert.match(error.message, /called tool 'get_weather' with invalid JSON arguments/);
      });

      it("hand arguments on that do not fit the tool's schema, for who calls the tool to judge", async () => {
        planned = () => [
          {
            name: "get_weather",
            arguments: '{"place": [5], "__proto__": {"isPolluted": true}, "more": null}',
          },
        ];
        const model = await findModel(connection.name);
        const { calls } = await ask(model, [user("Hello")], { tools: [placeTool] });
        const [{ input } = assert.fail("nothing was called")] = calls;
        assert.deepEqual([Reflect.get(input, "place"), Reflect.get(input, "more")], [[5], null]);
        assert.equal(Reflect.get({}, "isPolluted"), undefined);
        assert.equal(Reflect.get(input, "isPolluted"), undefined);
        const unfit = ["[]", "5", '"place"', "null"];
        for (const text of unfit) {
          planned = () => [{ name: "get_weather", arguments: text }];
          const error = await failureOf(ask(model, [user("Hello")], { tools: [placeTool] }));
          assert.match(error.message, /called tool 'get_weather' with invalid JSON arguments/);
        }
        tellFigure(
          `tool arguments that are no object, over ${clientStyle}: ${unfit.length} of ${unfit.length} fail`,
        );
      });

      it("see images, and text that comes as data", async () => {
        const image = dataPart(picture.mediaType, Buffer.from(picture.data, "base64"));
        const note = dataPart("text/plain", Buffer.from("A note."));
        const { text } = await ask(await findModel(connection.name), [
          user(image, note, "What is to be seen?"),
        ]);
        assert.match(text, /yellow above, blue below/);
        assert.match(asked[0]?.messages[0]?.text ?? "", /A note\.\s*What is to be seen\?/);
      });

      it("get an image unless the user says that the model takes none", async () => {
        const image = dataPart(picture.mediaType, Buffer.from(picture.data, "base64"));
        await writeCapabilities({ "*": { imageInput: false } });
        const model = await findModel(connection.name);
        await ask(model, [user(image, "What is to be seen?")]);
        await writeCapabilities({ "*": { imageInput: true } });
        await ask(model, [user(image, "What is to be seen?")]);
        assert.deepEqual(
          asked.map(({ messages }) => messages[0]?.images.length),
          [0, 1],
        );
        assert.match(asked[0]?.messages[0]?.text ?? "", /An image was left out: the model takes none/);
      });

      it("say in a closing sentence that the user's cap has cut the answer, and not that the caller's has", async () => {
        await writeMaxTokens(20);
        const model = await findModel(connection.name);
        const cut = await ask(model, [user("/long 3000")]);
        assert.match(cut.text, /reached its limit of 20 tokens\. Increase inference\.maxTokens/);
        const wanted = await ask(model, [user("/long 3000")], { modelOptions: { max_tokens: 10 } });
        assert.doesNotMatch(wanted.text, /inference\.maxTokens/);
        assert.equal(asked[1]?.maxTokens, 10);
      });

      it("send arguments of a call before that cannot be read as what they are", async () => {
        const call = new vscode.LanguageModelToolCallPart("c1", "get_weather", {});
        Object.assign(call, { input: '{"place": "Ul' });
        const result = new vscode.LanguageModelToolResultPart("c1", [
          new vscode.LanguageModelTextPart("No."),
        ]);
        const { bodies, plain } = await startRecorder();
        await writeConnections([
          { name: `${connection.name} reader`, baseUrl: plain.origin, clientStyle, keyVariable },
        ]);
        const asking = ask(await findModel(`${connection.name} reader`), [
          user("Look"),
          assistant(call),
          user(result),
        ]);
        await failureOf(asking);
        assert.ok(bodies[0]?.includes("Ul"), bodies[0]);
        await plain.close();
      });

      it("stop at the service when the caller cancels", async () => {
        service.pace = isOldestEditor ? 40 : 60_000;
        const source = new vscode.CancellationTokenSource();
        const asking = ask(await findModel(connection.name), [user("Hello")], {}, source.token).catch(
          () => undefined,
        );
        await service.journal.next(({ inputTokens }) => inputTokens > 0, soon());
        source.cancel();
        const ended = await service.journal.next(({ state }) => state !== "open", soon());
        assert.ok(isOldestEditor || ended.state === "aborted", ended.state);
        await asking;
      });

      it("answer two at once, each its own", async () => {
        service.pace = 20;
        const model = await findModel(connection.name);
        const words = ["heron", "otter"];
        const answers = await Promise.all(
          words.map((word, index) =>
            ask(
              model,
              [user(`Answer with the word ${word}.`)],
              index === 0 ? { tools: [placeTool] } : { modelOptions: { temperature: 0 } },
            ),
          ),
        );
        assert.deepEqual(
          answers.map(({ text }) => text),
          words,
        );
        const fields = posts().map(({ fields: names = [] }) => [
          names.includes("tools"),
          names.includes("temperature"),
        ]);
        assert.deepEqual(
          fields.sort((one, other) => Number(one[0]) - Number(other[0])),
          [
            [false, true],
            [true, false],
          ],
        );
      });

      it("send what is known of the caller's options, and nothing else", async () => {
        const modelOptions = { temperature: 0.2, stop: ["END"], user: "somebody", max_tokens: 5 };
        await ask(await findModel(connection.name), [user("/long 300")], { modelOptions });
        const fields = posts()[0]?.fields ?? [];
        assert.ok(fields.includes("temperature") && !fields.includes("user"), fields.join());
        assert.ok(fields.includes(clientStyle === "messages" ? "stop_sequences" : "stop"), fields.join());
        assert.equal(asked[0]?.maxTokens, 5);
      });
    });
  }

  it("count tokens as the service has counted them", async () => {
    await connection.connect();
    const model = await findModel(connection.name);
    const text = "word ".repeat(200);
    assert.equal(await model.countTokens(text), 250);
    await ask(model, [user(text)]);
    const after = isOldestEditor ? await findModel(connection.name) : model;
    assert.equal(await after.countTokens(text), 200);
    assert.ok((await after.countTokens(user(text))) > 200);
  });

  it("fail by the sentence of the diagnosis, without a stack", async () => {
    await connection.connect();
    const model = await findModel(connection.name);
    service.keys.revoke(key);
    const error = await failureOf(ask(model, [user("Hello")]));
    assert.equal(Reflect.get(error, "code"), "NoPermissions");
    assert.match(error.message, /revoked/i);
    assert.match(error.message, new RegExp(posts()[0]?.requestId ?? "none"));
    assert.equal(error.stack, undefined);
    assert.ok(!error.message.includes(key));
  });

  it("do without nothing that the caller needs: refused tools are a failure", async () => {
    await connection.connect();
    service.quirks = { ...service.quirks, refuse: ["tools"] };
    const error = await failureOf(
      ask(await findModel(connection.name), [user("Hello")], { tools: [placeTool] }),
    );
    assert.match(error.message, /rejected the request/i);
    assert.equal(posts().length, 1);
  });

  it("are said to call tools and to see images by the user's word, and not without", async () => {
    await connection.connect();
    const none = { supportsImageToText: false, supportsToolCalling: false };
    assert.deepEqual(capabilitiesOf(await findModel(connection.name)), none);
    await writeCapabilities({ "*": { imageInput: true }, "service-core": { toolCalling: true } });
    const [model] = await waitForModels(([first]) => capabilitiesOf(first).supportsToolCalling);
    assert.ok(capabilitiesOf(model).supportsImageToText);
  });

  it("show what a model thinks, where the editor has the part for it", async () => {
    const plain = await startPlainServer();
    plain.answer = (_request, response) => {
      const deltas = [{ reasoning_content: "Hm." }, { content: "Yes." }];
      const chunks = deltas.map((delta) => JSON.stringify({ choices: [{ index: 0, delta }] }));
      const end = JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] });
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end([...chunks, end].map((data) => `data: ${data}\n\n`).join(""));
    };
    await writeConnections([{ name: "Thinker", baseUrl: plain.origin, keyVariable }]);
    const { text, others } = await ask(await findModel("Thinker"), [user("Hello")]);
    assert.equal(text, "Yes.");
    assert.deepEqual(
      others.map((part) => Reflect.get(Object(part), "value")),
      ["Hm."],
    );
    await plain.close();
  });

  it("get no key that stands in a text", async () => {
    await connection.connect();
    await ask(await findModel(connection.name), [
      user("Look"),
      assistant(new vscode.LanguageModelToolCallPart("c1", "get_weather", { place: `in ${key}` })),
      user(
        new vscode.LanguageModelToolResultPart("c1", [new vscode.LanguageModelTextPart(`It is ${key}.`)]),
        `My key is ${key}`,
      ),
    ]);
    const sent = JSON.stringify(asked);
    assert.ok(!sent.includes(key));
    assert.ok(sent.includes("It is [API key]."));
  });
});
