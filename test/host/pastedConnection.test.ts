import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commandIds } from "../../src/contributions.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { AnsweredInputs } from "./answeredInputs.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { writeConnections } from "./testConnections.ts";

const paste = { boxButton: "Paste Configuration from Clipboard" };
const question = "a name for this connection";
const key = fakeKey("pasted-host-0123");

function writtenConnections(): unknown {
  return vscode.workspace.getConfiguration("inference").inspect("connections")?.globalValue;
}

/** Runs the command with this text in the clipboard. */
async function add(clipboard: string): Promise<void> {
  await vscode.env.clipboard.writeText(clipboard);
  await vscode.commands.executeCommand(commandIds.addConnection);
}

describe("adding a connection from the clipboard", () => {
  let dialogues: ShownDialogues;
  let inputs: AnsweredInputs;
  /** Buttons that are pressed if they are offered. */
  let pressed: readonly string[];

  beforeEach(async () => {
    pressed = ["Add Connection", "Store Key"];
    await writeConnections([]);
    dialogues = new ShownDialogues(({ buttons }) => buttons.find((button) => pressed.includes(button)));
    inputs = new AnsweredInputs();
  });
  afterEach(async () => {
    for (const name of ["Acme", "Curled"]) await removeConnection(name);
    dialogues.dispose();
    inputs.dispose();
    await vscode.env.clipboard.writeText("");
    await writeConnections(undefined);
  });

  async function removeConnection(name: string): Promise<void> {
    if (!JSON.stringify(writtenConnections()).includes(`"${name}"`)) return;
    pressed = ["Remove"];
    inputs.expect(["Which connection do you want to remove?", name]);
    await vscode.commands.executeCommand(commandIds.removeConnection);
  }

  it("shows what was understood, asks about the key, and stores the key only in the secret storage", async () => {
    const entry = {
      name: "Acme",
      vendor: "customendpoint",
      apiType: "messages",
      apiKey: key,
      models: [
        {
          id: "claude-x",
          url: "https://h.example/v1/messages",
          requestHeaders: { "x-portkey-provider": "openai", "x-gateway-token": fakeKey("gateway-777") },
        },
        { id: "other", url: "https://other.example/v1/messages" },
      ],
    };
    inputs.expect([question, paste]);
    await add(JSON.stringify([entry]));
    const [review, keyQuestion] = dialogues.all;
    assert.equal(review?.message, "Add the connection 'Acme' from the clipboard?");
    assert.equal(
      review.detail,
      [
        "Base URL: https://h.example",
        "Client style: messages",
        "Requests go to https://h.example/v1/messages",
        "Default model: claude-x",
        "Further headers: x-portkey-provider: openai",
        "API key: found in apiKey. You are asked before the key is stored.",
        "",
        "Not used:",
        `- The value of the header x-gateway-token looks like a secret, which settings can't protect. Put the value into an environment variable and write {"variable": "NAME"} instead.`,
        "- other (another configuration)",
      ].join("\n"),
    );
    assert.equal(keyQuestion?.message, "Store the API key from the clipboard for 'Acme'?");
    assert.match(keyQuestion.detail ?? "", /sent only to https:\/\/h\.example\./);
    assert.deepEqual(writtenConnections(), [
      {
        name: "Acme",
        baseUrl: "https://h.example",
        clientStyle: "messages",
        model: "claude-x",
        headers: { "x-portkey-provider": "openai" },
      },
    ]);
    for (const shown of dialogues.all)
      for (const secret of [key, fakeKey("gateway-777")]) assert.ok(!JSON.stringify(shown).includes(secret));
    await dialogues.until("Added 'Acme'.");
  });

  it("saves nothing if the user cancels, and no key if the user adds the connection without it", async () => {
    const curl = `curl https://h.example/v1/messages -H "x-api-key: ${key}"`;
    pressed = [];
    inputs.expect([question, paste], [question, "Curled"]);
    await add(curl);
    assert.deepEqual(writtenConnections(), []);
    pressed = ["Add Connection"];
    inputs.expect([question, paste], [question, "Curled"]);
    await add(curl);
    assert.deepEqual(writtenConnections(), [], "Escape at the question about the key");
    pressed = ["Add Connection", "Add without Key"];
    inputs.expect([question, paste], [question, "Curled"]);
    await add(curl);
    assert.deepEqual(writtenConnections(), [
      { name: "Curled", baseUrl: "https://h.example", clientStyle: "messages" },
    ]);
    await dialogues.until("Added 'Curled' without an API key.");
    assert.equal(inputs.all[1]?.value, "h.example", "the host is offered as the name");
  });

  it("asks for what is missing: a free name, the client style, HTTPS, and the key", async () => {
    await writeConnections([{ name: "Taken", baseUrl: "https://h.example" }]);
    const entry = {
      name: "Taken",
      vendor: "customendpoint",
      models: [{ id: "m", url: "http://h.example/v1" }],
    };
    inputs.expect(
      [question, paste],
      [question, "Curled"],
      ["HTTP is not encrypted: others could read your API key", "Use https://h.example/v1"],
      ["Which client style (format of requests) does the service use?", "chat-completions"],
      ["API key for 'Curled'", key],
    );
    await add(JSON.stringify(entry));
    assert.deepEqual(writtenConnections(), [
      { name: "Taken", baseUrl: "https://h.example" },
      { name: "Curled", baseUrl: "https://h.example", clientStyle: "chat-completions", model: "m" },
    ]);
  });

  it("explains in the box why a text can't be used, without closing the box or showing a key", async () => {
    inputs.expect(
      [question, paste],
      [
        question,
        async () => {
          await vscode.env.clipboard.writeText("x".repeat(10_000_000));
          return paste;
        },
      ],
      [question, undefined],
    );
    await add(`OPENAI_API_KEY=${key}`);
    assert.match(inputs.refusals[0] ?? "", /^The configuration in the clipboard contains no base URL/);
    assert.match(inputs.refusals[1] ?? "", /^The text in the clipboard is too long/);
    assert.ok(!inputs.refusals.join().includes(key));
  });

  it("asks before it uses variables, and names them and the host", async () => {
    process.env["INFERENCE_PASTED_KEY"] = key;
    const curl =
      'curl https://h.example/v1/messages -H "x-api-key: $INFERENCE_PASTED_KEY" -H "x-data: $OTHER_TOKEN" -H "x-team: blue"';
    const url = { baseUrl: "https://h.example", clientStyle: "messages" };
    try {
      pressed = ["Add Connection"];
      inputs.expect([question, { ...paste, typed: "Curled" }]);
      await add(curl);
      const asked = dialogues.all[1];
      assert.equal(
        asked?.message,
        "Send the value of INFERENCE_PASTED_KEY and OTHER_TOKEN to https://h.example?",
      );
      assert.deepEqual(writtenConnections(), [], "Escape at the question about variables");
      pressed = ["Add Connection", "Add without Variables"];
      inputs.expect([question, { ...paste, typed: "Curled" }]);
      await add(curl);
      assert.deepEqual(writtenConnections(), [{ name: "Curled", ...url, headers: { "x-team": "blue" } }]);
      pressed = ["Add Connection", "Use Variables"];
      inputs.expect([question, { ...paste, typed: "Acme" }]);
      await add(curl);
    } finally {
      delete process.env["INFERENCE_PASTED_KEY"];
    }
    assert.deepEqual(writtenConnections(), [
      { name: "Curled", ...url, headers: { "x-team": "blue" } },
      {
        name: "Acme",
        ...url,
        keyVariable: "INFERENCE_PASTED_KEY",
        headers: { "x-data": { variable: "OTHER_TOKEN" }, "x-team": "blue" },
      },
    ]);
  });

  it("keeps a name that was typed before, and says what it removes around the key", async () => {
    const named = JSON.stringify({ name: "Other", url: "https://h.example/v1/messages", apiKey: `'${key}'` });
    inputs.expect([question, { ...paste, typed: " Acme " }]);
    await add(named);
    assert.equal(dialogues.all[0]?.message, "Add the connection 'Acme' from the clipboard?");
    assert.match(dialogues.all[1]?.detail ?? "", /are removed: quotes or other punctuation around it\.$/);
    assert.match(JSON.stringify(writtenConnections()), /"Acme"/);
  });

  it("uses a variable that is set, and reads the clipboard only at the button", async () => {
    process.env["INFERENCE_PASTED_KEY"] = key;
    pressed = ["Add Connection", "Use Variables"];
    let reads = 0;
    const { clipboard } = vscode.env;
    const counted: vscode.Clipboard = {
      writeText: (text) => clipboard.writeText(text),
      readText: () => {
        reads += 1;
        return clipboard.readText();
      },
    };
    Object.defineProperty(vscode.env, "clipboard", { value: counted, configurable: true });
    try {
      inputs.expect([question, undefined]);
      await add("curl https://h.example/v1/messages -H 'x-api-key: $INFERENCE_PASTED_KEY'");
      assert.equal(reads, 0);
      inputs.expect([question, paste], [question, "Curled"]);
      await add("curl https://h.example/v1/messages -H 'x-api-key: $INFERENCE_PASTED_KEY'");
      assert.equal(reads, 1);
    } finally {
      delete process.env["INFERENCE_PASTED_KEY"];
      Object.defineProperty(vscode.env, "clipboard", { value: clipboard, configurable: true });
    }
    assert.match(
      dialogues.all[0]?.detail ?? "",
      /^API key: from the environment variable INFERENCE_PASTED_KEY$/m,
    );
    assert.deepEqual(writtenConnections(), [
      {
        name: "Curled",
        baseUrl: "https://h.example",
        clientStyle: "messages",
        keyVariable: "INFERENCE_PASTED_KEY",
      },
    ]);
  });

  it("offers to clear the clipboard of a secret, also if the user cancels or the secret isn't used", async () => {
    const texts = [
      `curl https://h.example/v1/messages -H "x-api-key: ${key}"`,
      `curl https://h.example/v1/messages -H "x-team-token: ${key}"`,
    ];
    for (const isAdded of [true, false])
      for (const text of texts) {
        dialogues.all.length = 0;
        pressed = ["Clear Clipboard", ...(isAdded ? ["Add Connection", "Store Key"] : [])];
        inputs.expect([question, { ...paste, typed: "Curled" }]);
        if (isAdded && !text.includes("x-api-key")) inputs.expect(["API key for 'Curled'", undefined]);
        await add(text);
        await dialogues.until("The clipboard still contains an API key or another secret");
        while ((await vscode.env.clipboard.readText()).includes(key)) await new Promise(setImmediate);
        if (isAdded) await removeConnection("Curled");
      }
  });

  it("refuses a typed name that contains a key, and hides the name", async () => {
    inputs.expect([question, `Acme ${key}`], [question, undefined]);
    await add("");
    assert.match(inputs.refusals[0] ?? "", /^This looks like an API key/);
    assert.ok(inputs.all[1]?.isPassword);
    assert.deepEqual(writtenConnections(), []);
  });
});
