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

/** Plans the tool calls of an answer; by default the service takes them from the message. */
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

  it("include the model in use at once and all models once listed, without extra requests", async () => {
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

  it("have the context window that the service reports", async () => {
    const told = await startReferenceService({ contextWindow: 32_000 });
    process.env[keyVariable] = told.keys.add({});
    await writeConnections([{ name: "Told", baseUrl: told.origin, keyVariable }]);
    await vscode.commands.executeCommand("inference.listModels", {});
    const [model] = await waitForModels((models) => models.length === 3);
    assert.equal(model?.maxInputTokens, 32_000 - 4096);
    await told.close();
  });

  it("stay in the list without a key, and name the missing key when they are used", async () => {
    await connection.connect();
    await vscode.commands.executeCommand("inference.listModels", {});
    await waitForModels((models) => models.length === 3);
    // Another key may see other models, so the list counts as outdated, but it is still shown.
    await writeConnections([{ name: connection.name, baseUrl: service.origin, keyVariable: emptyVariable }]);
    assert.ok(areThree(isOldestEditor ? await waitForModels(areThree) : await findModels()));
    const error = await failureOf(ask(await findModel(connection.name), [user("Hello")]));
    assert.match(error.message, new RegExp(emptyVariable));
    assert.equal(posts().length, 0);
  });

  it("are not offered if the workspace has no connection", async () => {
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

      it("call several tools at once and match the results by ID", async () => {
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
        // The results come in two messages and in reverse order, as with slow tools.
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

      it("accept forty tools and a required tool call", async () => {
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
        // With cache marks on the last tool and the newest message, the next request costs less.
        const marks = clientStyle === "messages" ? 2 : 0;
        assert.deepEqual(
          posts().map(({ cacheMarks }) => cacheMarks),
          [marks, marks],
        );
      });

      it("fail if a tool is called with invalid JSON", async () => {
        planned = () => [{ name: "get_weather", arguments: '{"place": "Ul' }];
        const asking = ask(await findModel(connection.name), [user("Hello")], { tools: [placeTool] });
        const error = await failureOf(asking);
        assert.match(error.message, /called tool 'get_weather' with invalid JSON arguments/);
      });

      it("pass on arguments that do not match the tool's schema, and fail only if they are not an object", async () => {
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

      it("receive images, and text sent as data", async () => {
        const image = dataPart(picture.mediaType, Buffer.from(picture.data, "base64"));
        const note = dataPart("text/plain", Buffer.from("A note."));
        const { text } = await ask(await findModel(connection.name), [
          user(image, note, "What is to be seen?"),
        ]);
        assert.match(text, /yellow above, blue below/);
        assert.match(asked[0]?.messages[0]?.text ?? "", /A note\.\s*What is to be seen\?/);
      });

      it("receive an image unless the user's setting says that the model does not accept images", async () => {
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

      it("add a sentence if the user's cap cut the answer, but not if the caller's cap did", async () => {
        await writeMaxTokens(20);
        const model = await findModel(connection.name);
        const cut = await ask(model, [user("/long 3000")]);
        assert.match(cut.text, /reached its limit of 20 tokens\. Increase inference\.maxTokens/);
        const wanted = await ask(model, [user("/long 3000")], { modelOptions: { max_tokens: 10 } });
        assert.doesNotMatch(wanted.text, /inference\.maxTokens/);
        assert.equal(asked[1]?.maxTokens, 10);
      });

      it("send invalid arguments of an earlier call as raw text", async () => {
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

      it("abort the request when the caller cancels", async () => {
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

      it("keep two parallel answers separate", async () => {
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

      it("send the known options of the caller and no others", async () => {
        const modelOptions = { temperature: 0.2, stop: ["END"], user: "somebody", max_tokens: 5 };
        await ask(await findModel(connection.name), [user("/long 300")], { modelOptions });
        const fields = posts()[0]?.fields ?? [];
        assert.ok(fields.includes("temperature") && !fields.includes("user"), fields.join());
        assert.ok(fields.includes(clientStyle === "messages" ? "stop_sequences" : "stop"), fields.join());
        assert.equal(asked[0]?.maxTokens, 5);
      });
    });
  }

  it("count tokens as the service counted them", async () => {
    await connection.connect();
    const model = await findModel(connection.name);
    const text = "word ".repeat(200);
    assert.equal(await model.countTokens(text), 250);
    await ask(model, [user(text)]);
    const after = isOldestEditor ? await findModel(connection.name) : model;
    assert.equal(await after.countTokens(text), 200);
    assert.ok((await after.countTokens(user(text))) > 200);
  });

  it("fail with the sentence of the diagnosis, without a stack", async () => {
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

  it("fail if the service refuses tools that the caller needs", async () => {
    await connection.connect();
    service.quirks = { ...service.quirks, refuse: ["tools"] };
    const error = await failureOf(
      ask(await findModel(connection.name), [user("Hello")], { tools: [placeTool] }),
    );
    assert.match(error.message, /rejected the request/i);
    assert.equal(posts().length, 1);
  });

  it("report tool calling and image input only if the user's setting does", async () => {
    await connection.connect();
    const none = { supportsImageToText: false, supportsToolCalling: false };
    assert.deepEqual(capabilitiesOf(await findModel(connection.name)), none);
    await writeCapabilities({ "*": { imageInput: true }, "service-core": { toolCalling: true } });
    const [model] = await waitForModels(([first]) => capabilitiesOf(first).supportsToolCalling);
    assert.ok(capabilitiesOf(model).supportsImageToText);
  });

  it("show a model's reasoning if VS Code has a part for it", async () => {
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

  it("receive no key that a text contains", async () => {
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
