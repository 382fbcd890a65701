import assert from "node:assert/strict";
import * as vscode from "vscode";
import { commandIds } from "../../src/contributions.ts";
import { ApiKeyStore } from "../../src/editor/key/apiKeyStore.ts";
import { modelCommands } from "../../src/editor/models/modelCommands.ts";
import { showRefusals } from "../../src/editor/attachments/gathered.ts";
import { gatherText } from "../../src/editor/attachments/chatContext.ts";
import { LastTextEditor } from "../../src/editor/shared/lastTextEditor.ts";
import { Proposals } from "../../src/editor/edits/proposals.ts";
import { reviewFiles } from "../../src/editor/edits/reviewFiles.ts";
import { startReferenceService } from "../service/serve.ts";
import { createMemento } from "../unit/editor/workspace/memento.ts";
import { companionStores } from "./companionStores.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { createTalking } from "./testChats.ts";
import { writeConnections } from "./testConnections.ts";

const keyVariable = "INFERENCE_HOST_TEST_KEY";

/** Records the quick picks that are created, until disposal. */
class MadePicks {
  readonly all: vscode.QuickPick<vscode.QuickPickItem>[] = [];
  readonly #own = vscode.window.createQuickPick;

  constructor() {
    const createQuickPick = (): vscode.QuickPick<vscode.QuickPickItem> => {
      const pick = this.#own();
      this.all.push(pick);
      return pick;
    };
    Object.assign(vscode.window, { createQuickPick });
  }

  /** Resolves with the placeholder of the first quick pick when it is shown, and closes the pick. */
  async leaveFirst(): Promise<string | undefined> {
    for (;;) {
      const [first] = this.all;
      if (first?.placeholder !== undefined) {
        first.hide();
        return first.placeholder;
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  dispose(): void {
    Object.assign(vscode.window, { createQuickPick: this.#own });
  }
}

describe("texts with a count of one", () => {
  const owned: vscode.Disposable[] = [];
  let dialogues: ShownDialogues;
  let picks: MadePicks;
  let proposals: Proposals;

  beforeEach(() => {
    dialogues = new ShownDialogues();
    picks = new MadePicks();
    const last = new LastTextEditor();
    proposals = new Proposals(last);
    owned.push(dialogues, picks, last, proposals);
  });
  afterEach(() => {
    for (const each of owned.splice(0).toReversed()) each.dispose();
  });

  it("use the singular for a pasted line", () => {
    const details = ["one", "one\ntwo"].map((text) => gatherText(text).attachments[0]?.detail);
    assert.deepEqual(details, ["1 line", "2 lines"]);
  });

  it("use the singular for an item that was not attached", () => {
    showRefusals(["A.", "B.", "C.", "D."]);
    showRefusals(["A.", "B.", "C.", "D.", "E."]);
    assert.deepEqual(dialogues.messages, [
      "A. B. C. 1 more item was not attached.",
      "A. B. C. 2 more items were not attached.",
    ]);
  });

  it("use the singular for a model", async () => {
    const service = await startReferenceService({ models: ["only"] });
    await writeConnections([{ name: "Counted", baseUrl: service.origin, keyVariable }]);
    const { secrets } = await companionStores();
    const keys = new ApiKeyStore(secrets, { [keyVariable]: service.keys.add({}) }, createMemento());
    const listing = modelCommands(createTalking(keys, createMemento(), owned))[commandIds.listModels]();
    assert.equal(await picks.leaveFirst(), "1 model. Select it to use it in this workspace.");
    await listing;
    await writeConnections(undefined);
    await service.close();
  });

  it("use the singular for a code block without a file", async () => {
    const blocks = [
      { text: "export const changed = 1;\n", info: "ts:summary.ts", language: "ts", above: "" },
      { text: "nowhere", info: "", language: "", above: "" },
    ];
    const reviewing = reviewFiles(blocks, proposals);
    assert.match(
      (await picks.leaveFirst()) ?? "",
      /\. 1 code block is skipped because it names no workspace file\.$/,
    );
    await reviewing;
  });

  it("use the singular for a remaining change", async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder !== undefined);
    const uri = vscode.Uri.joinPath(folder.uri, "counted.ts");
    await vscode.workspace.fs.writeFile(uri, Buffer.from("a\nb\nc\nd\ne\n"));
    const proposal = await proposals.create({ uri, exists: true, cursor: 0 });
    proposal.edit.propose("A\nb\nc\nd\nE\n");
    const edit = new vscode.WorkspaceEdit();
    edit.replace(uri, new vscode.Range(0, 0, 0, 1), "x");
    assert.ok(await vscode.workspace.applyEdit(edit));
    await proposals.acceptAll(proposal.uri);
    const document = await proposal.open();
    assert.equal(document.getText(), "x\nb\nc\nd\nE\n");
    assert.deepEqual(dialogues.messages, [
      "1 change was not applied because the same lines in 'counted.ts' were edited after you asked for the change. Review this change.",
    ]);
    assert.ok(await document.save());
    await vscode.commands.executeCommand("workbench.action.closeAllEditors");
    await vscode.workspace.fs.delete(uri);
  });
});
