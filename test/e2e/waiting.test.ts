import { openEditor, type Editor } from "../support/endToEnd.ts";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { partsOf, showFailedTest } from "./parts.ts";

const key = fakeKey("waiting");
const keyVariable = "INFERENCE_WAITING_KEY";

/** Longer than a notice takes to be seen and photographed. */
const retrySeconds = 10;

describe("the wait for another try, in a real editor", () => {
  let service: ReferenceService;
  let editor: Editor;

  before(async () => {
    service = await startReferenceService();
    service.keys.add({}, key);
    editor = await openEditor({
      searchesForKeys: true,
      settings: { "inference.connections": [{ name: "Busy", baseUrl: service.origin, keyVariable }] },
      environment: { [keyVariable]: key },
    });
    const { chat, quickInput } = editor.workbench;
    await chat.open();
    await chat.button("Connection:").click();
    await quickInput.pick("Busy");
    await chat.button("Connection: Busy").waitFor();
  });
  afterEach(async function () {
    await showFailedTest(editor, this.currentTest);
  });
  after(async () => {
    await editor[Symbol.asyncDispose]();
    await service.close();
  });

  it("lists the models after a refusal, and says in the progress what it waits for", async () => {
    const { palette, quickInput, notifications, screenshot } = partsOf(editor);
    service.failNext({ of: "models", status: 503, headers: { "retry-after": String(retrySeconds) } });
    await palette.run("inference.listModels");
    await notifications.toast(/Trying again in \d+ s \(2 of 3\)/).waitFor();
    await screenshot("retry-models");
    await quickInput.waitFor(/3 models/);
    await quickInput.cancel();
  });
});
