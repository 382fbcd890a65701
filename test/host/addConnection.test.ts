import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commandIds } from "../../src/contributions.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { AnsweredInputs } from "./answeredInputs.ts";
import { refuseSettings } from "./refuseSettings.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { writeConnections } from "./testConnections.ts";

function writtenConnections(): unknown {
  return vscode.workspace.getConfiguration("inference").inspect("connections")?.globalValue;
}

async function add(): Promise<void> {
  await vscode.commands.executeCommand(commandIds.addConnection);
}

describe("adding and removing a connection by commands", () => {
  let dialogues: ShownDialogues;
  let inputs: AnsweredInputs;
  /** Buttons that are pressed if they are offered. */
  let pressed: readonly string[];

  beforeEach(() => {
    pressed = ["Remove"];
    dialogues = new ShownDialogues(({ buttons }) => buttons.find((button) => pressed.includes(button)));
    inputs = new AnsweredInputs();
  });
  afterEach(async () => {
    dialogues.dispose();
    await writeConnections(undefined);
  });

  async function remove(name: string): Promise<void> {
    inputs.expect(["Which connection do you want to remove?", name]);
    await vscode.commands.executeCommand(commandIds.removeConnection);
  }

  it("asks again after an invalid base URL, and then saves the answers", async () => {
    inputs.expect(
      ["a name for this connection", "Added"],
      ["Base URL", "not an address"],
      ["Base URL", "https://h.example/v1"],
      ["Which client style (format of requests) does the service use?", "chat-completions"],
      ["API key for 'Added'", fakeKey("added")],
    );
    await add();
    assert.equal(inputs.refusals.length, 1);
    assert.deepEqual(writtenConnections(), [
      { name: "Added", baseUrl: "https://h.example", clientStyle: "chat-completions" },
    ]);
    await remove("Added");
    assert.deepEqual(writtenConnections(), []);
    inputs.dispose();
  });

  it("saves no key and says so when the pasted text is not a key", async () => {
    const login = "me@h.example:password";
    const question = "API key for 'Keyless'";
    inputs.expect(
      ["a name for this connection", "Keyless"],
      ["Base URL", "https://h.example"],
      ["Which client style (format of requests) does the service use?", "messages"],
      [question, ""],
      [question, login],
      [question, undefined],
    );
    await add();
    assert.match(inputs.refusals[0] ?? "", /Enter an API key/);
    assert.match(inputs.refusals[1] ?? "", /email address, not an API key/);
    const last = inputs.all.at(-1);
    assert.deepEqual([last?.value, last?.isPassword], [login, true]);
    assert.match(dialogues.messages.at(-1) ?? "", /^Added 'Keyless' without an API key\./);
    await remove("Keyless");
    inputs.dispose();
  });

  it("offers HTTPS when HTTP was typed, and returns to the base URL on Escape", async () => {
    const open = "http://h.example:8080/v1";
    const way = "HTTP is not encrypted: others could read your API key";
    inputs.expect(
      ["a name for this connection", "Secured"],
      ["Base URL", open],
      [way, undefined],
      ["Base URL", open],
      [way, "Use https://h.example:8080/v1"],
      ["Which client style (format of requests) does the service use?", undefined],
    );
    await add();
    assert.match(inputs.hints.join(), /could expose your API key/);
    assert.equal(inputs.all[3]?.value, open, "nothing typed is lost");
    assert.match(inputs.all[5]?.rows.join() ?? "", /POST https:\/\/h\.example:8080\/v1\//);
    inputs.dispose();
  });

  it("uses HTTP only if the user agrees", async () => {
    pressed = ["Allow HTTP"];
    inputs.expect(
      ["a name for this connection", "Open"],
      ["Base URL", "http://h.example:8080"],
      ["HTTP is not encrypted: others could read your API key", "Allow HTTP for This Connection"],
      ["Which client style (format of requests) does the service use?", "chat-completions"],
      ["API key for 'Open'", undefined],
    );
    await add();
    assert.match(
      dialogues.messages[0] ?? "",
      /Send the API key for 'Open' to h\.example:8080 without encryption\?/,
    );
    assert.deepEqual(writtenConnections(), [
      { name: "Open", baseUrl: "http://h.example:8080", clientStyle: "chat-completions", allowHttp: true },
    ]);
    inputs.expect(["Which connection should this workspace use?", undefined]);
    await vscode.commands.executeCommand(commandIds.useConnection);
    assert.match(inputs.all.at(-1)?.rows.join() ?? "", /h\.example:8080 .*not encrypted/);
    inputs.dispose();
  });

  it("keeps the answers when the settings cannot be written, and saves them on retry", async () => {
    inputs.expect(
      ["a name for this connection", "Later"],
      ["Base URL", "https://h.example"],
      ["Which client style (format of requests) does the service use?", "messages"],
      ["API key for 'Later'", fakeKey("later")],
    );
    const restore = refuseSettings();
    dialogues.dispose();
    dialogues = new ShownDialogues(({ buttons }) => {
      restore();
      return buttons.find((button) => button === "Try Again" || button === "Remove");
    });
    await add();
    const [said, added] = dialogues.messages;
    assert.match(said ?? "", /^'Later' was not added, but what you entered is kept/);
    assert.match(added ?? "", /^Added 'Later'\./);
    assert.deepEqual(writtenConnections(), [
      { name: "Later", baseUrl: "https://h.example", clientStyle: "messages" },
    ]);
    await remove("Later");
    inputs.dispose();
  });
});
