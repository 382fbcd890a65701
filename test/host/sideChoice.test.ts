import assert from "node:assert/strict";
import * as vscode from "vscode";
import { gatherDiff } from "../../src/editor/attachments/gitContext.ts";
import { showRefusals } from "../../src/editor/attachments/gathered.ts";
import { reportUnfinishedChange, selectSide } from "../../src/editor/statusBar/sideChoice.ts";
import type { State } from "../../src/editor/workspace/state.ts";
import { commandIds, extensionId } from "../../src/contributions.ts";
import { AnsweredInputs } from "./answeredInputs.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { withAgentTools } from "./withAgentTools.ts";
import { writeSetting } from "./writeSetting.ts";

const others = { "pub.name": ["workspace"] };
const reload = "Reload Window";

function userSetting(): unknown {
  return vscode.workspace.getConfiguration("remote").inspect("extensionKind")?.globalValue;
}

/** Makes this window look like a remote window of the desktop, with the extension on the user's computer. */
function beOnUsersComputer(): vscode.Disposable {
  const { env, extensions } = vscode;
  const { getExtension } = extensions;
  const own = Object.getOwnPropertyDescriptors(env);
  Object.defineProperties(env, {
    remoteName: { value: "ssh-remote", configurable: true },
    uiKind: { value: vscode.UIKind.Desktop, configurable: true },
  });
  Object.assign(extensions, {
    getExtension: (id: string) =>
      id === extensionId ? { ...getExtension(id), extensionKind: vscode.ExtensionKind.UI } : undefined,
  });
  return new vscode.Disposable(() => {
    Object.defineProperties(env, { remoteName: own.remoteName, uiKind: own.uiKind });
    Object.assign(extensions, { getExtension });
  });
}

describe("the machine that the extension runs on in a remote window", () => {
  const bench = withAgentTools();
  const values = new Map<string, unknown>();
  const state: State = {
    get: (key) => values.get(key),
    update: async (key, value) => void values.set(key, value),
  };
  let dialogues: ShownDialogues;

  beforeEach(async () => {
    values.clear();
    await writeSetting("remote.extensionKind", others);
  });
  afterEach(async () => {
    dialogues.dispose();
    await writeSetting("remote.extensionKind", undefined);
  });

  it("is changed in the user setting beside other entries, after it says what differs, and back again", async () => {
    dialogues = new ShownDialogues(({ buttons }) => (buttons.includes(reload) ? undefined : buttons[0]));
    await selectSide("local", state);
    const moved = { ...others, [extensionId]: ["workspace", "ui"] };
    assert.deepEqual(userSetting(), moved);
    const [asked, told] = dialogues.all;
    assert.equal(asked?.message, "Run Inference Chat on the remote machine?");
    for (const word of ["proxy", "localhost", "Environment variables", "secret storage", "chats, drafts"])
      assert.ok(asked.detail?.includes(word), word);
    assert.equal(told?.message, "Reload the window to run Inference Chat on the remote machine.");
    assert.deepEqual(told.buttons, [reload, "Undo"]);
    // As if the window had reloaded on the remote machine.
    values.clear();
    await selectSide("remote", state);
    assert.deepEqual(userSetting(), others);
  });

  it("stays if the user says no, takes it back, or has no other machine", async () => {
    dialogues = new ShownDialogues(({ buttons }) => (buttons.includes("Undo") ? "Undo" : undefined));
    await selectSide("local", state);
    await selectSide(undefined, state);
    assert.deepEqual(dialogues.messages.slice(1), [
      "Inference Chat can run on only one machine in this window.",
    ]);
    assert.deepEqual(userSetting(), others);
    dialogues.dispose();
    dialogues = new ShownDialogues(({ buttons }) => (buttons.includes("Undo") ? "Undo" : buttons[0]));
    await selectSide("local", state);
    assert.deepEqual([userSetting(), values.get("inference.sideChanged")], [others, undefined]);
  });

  it("is said to have no extension if it is still the other one after the reload", async () => {
    dialogues = new ShownDialogues(({ buttons }) =>
      buttons.includes(reload) ? undefined : (buttons.find((each) => each.startsWith("Keep")) ?? buttons[0]),
    );
    await reportUnfinishedChange("local", state);
    assert.deepEqual(dialogues.all, []);
    await selectSide("local", state);
    await reportUnfinishedChange("local", state);
    assert.match(dialogues.messages.at(-1) ?? "", /isn't installed on the remote machine/);
    assert.deepEqual(userSetting(), others, "the button keeps it here");
  });

  it("is the reason if Git is missing, and the notice leads to the choice", async () => {
    const here = beOnUsersComputer();
    try {
      dialogues = new ShownDialogues(({ buttons }) => buttons.find((each) => each.endsWith("...")));
      for (const act of [
        () => vscode.commands.executeCommand(commandIds.generateCommitMessage),
        async () => showRefusals((await gatherDiff("staged")).refusals),
      ]) {
        const before = dialogues.all.length;
        await act();
        while (dialogues.all.length < before + 2) await dialogues.next();
        const [notice, choice] = dialogues.all.slice(before);
        assert.match(notice?.message ?? "", /runs on your computer, but VS Code's Git extension runs on/);
        assert.deepEqual(notice?.buttons, ["Run on the Remote Machine..."]);
        assert.equal(choice?.message, "Run Inference Chat on the remote machine?");
      }
      const { offered, instructions } = bench.startAnswer();
      assert.ok(offered.every(({ name }) => name !== "get_changes"));
      assert.match(instructions, /Select Where to Run\.\.\./);
      const menu = new AnsweredInputs(["Inference Chat", undefined]);
      await vscode.commands.executeCommand(commandIds.showMenu);
      menu.dispose();
      assert.ok(menu.all[0]?.rows.includes("Select Where to Run... · On your computer"));
    } finally {
      here.dispose();
    }
    assert.deepEqual(userSetting(), others);
  });
});
