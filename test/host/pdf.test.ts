import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { writeWordPdf } from "../../src/connection/compatibility/wordPdf.ts";
import type { ClientStyle } from "../../src/protocol/conversation/wireStyle.ts";
import { AnsweredInputs, asItIs } from "./answeredInputs.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { type ChatsPage, withChat } from "./withChat.ts";
import { withConnection, workspaceFolder } from "./withConnection.ts";

const data = writeWordPdf("LIGHTHOUSE");
const bytes = Buffer.from(data, "base64");
const model = "service-core";

describe("a PDF file in a chat", () => {
  const connection = withConnection({ name: "Reading" });
  const test = withChat(connection);
  let root: string;
  let page: ChatsPage;
  /** The button to press if it is offered. */
  let pressed: string | undefined;
  let dialogues: ShownDialogues;

  const uriOf = (name: string): string => vscode.Uri.file(path.join(root, name)).toString();
  const names = (): readonly string[] => page.chat.attachments.map(({ name }) => name);
  const use = (clientStyle: ClientStyle): void =>
    page.chat.select({ connection: connection.name, model, clientStyle });

  before(async () => {
    root = path.join(workspaceFolder().uri.fsPath, "pdf-files");
    await mkdir(root, { recursive: true });
    const files: Readonly<Record<string, string | Uint8Array>> = {
      ".gitignore": "ignored.pdf\n",
      "plan.pdf": bytes,
      "ignored.pdf": bytes,
      "no-ending": bytes,
      "fake.pdf": "# Not a PDF file\n",
      "empty.pdf": "",
      "secret.pdf": Buffer.from(
        bytes.toString("latin1").replace("/Root 1 0 R", "/Root 1 0 R/Encrypt 7 0 R"),
        "latin1",
      ),
      "large.pdf": Buffer.concat([bytes, Buffer.alloc(11 * 1024 * 1024)]),
    };
    for (const [name, content] of Object.entries(files)) await writeFile(path.join(root, name), content);
  });
  beforeEach(() => {
    page = test.openPage();
    pressed = undefined;
    dialogues = new ShownDialogues(({ buttons }) => buttons.find((button) => button === pressed));
  });
  afterEach(() => dialogues.dispose());
  after(() => rm(root, { recursive: true }));

  function see(clientStyle: ClientStyle): void {
    const { origin } = connection.service;
    const at = new Date().toISOString();
    const result = { clientStyle, probe: "pdf", state: "yes", evidence: "LIGHTHOUSE", at } as const;
    test.talking.compatibility.add({ origin, model, clientStyle }, result);
  }

  for (const clientStyle of ["chat-completions", "messages"] as const)
    it(`is sent byte for byte after the model passed the PDF test (${clientStyle})`, async () => {
      use(clientStyle);
      see(clientStyle);
      await page.attached({ type: "attach-uris", uris: [uriOf("plan.pdf")] });
      await page.attached({
        type: "attach-data",
        name: "pasted.pdf",
        mediaType: "application/pdf",
        data,
      });
      await page.ask("What do they say?");
      const [message] = connection.asks.at(-1)?.messages ?? [];
      assert.deepEqual(
        message?.pdfs.map((pdf) => [pdf.name, pdf.bytes.equals(bytes)]),
        [
          ["plan.pdf", true],
          ["pasted.pdf", true],
        ],
      );
      assert.match(message.text, /name="plan\.pdf" source="pdf-files\/plan\.pdf, \d+ B"/);
      const [, answer] = page.chat.session.transcript.turns;
      assert.match(answer?.text ?? "", /It says LIGHTHOUSE\./);
      assert.deepEqual(dialogues.messages, []);
      await page.ask("And once more?");
      assert.equal(connection.asks.at(-1)?.messages[0]?.pdfs.length, 2);
    });

  it("is not sent to a model that was not seen to read one, and Verify Compatibility opens with its test", async () => {
    use("messages");
    see("chat-completions");
    await page.attached({ type: "attach-uris", uris: [uriOf("plan.pdf")] });
    pressed = "Verify Compatibility...";
    const inputs = new AnsweredInputs(
      ["Verify Compatibility (1/2): Client Styles", asItIs],
      ["Verify Compatibility (2/2): 1 Billable Requests", asItIs],
    );
    const restored = page.next("restore-draft");
    page.say({ type: "send", text: "What does it say?" });
    assert.equal((await restored).text, "What does it say?");
    const asked = await dialogues.until("Send 1 billable request to 'Reading'?");
    assert.match(asked.detail ?? "", /Model: service-core\. Client style: messages\./);
    inputs.dispose();
    assert.equal(
      dialogues.messages[0],
      "Your question isn't sent because 'service-core' (Messages) isn't known to read PDF files. To find out, run Verify Compatibility.",
    );
    assert.deepEqual(names(), ["plan.pdf"]);
    assert.deepEqual(page.chat.session.transcript.turns, []);
    assert.deepEqual(connection.asks, []);
  });

  it("is recognized by its content, and refused with the reason if no service can read it", async () => {
    const dropped = ["no-ending", "ignored.pdf", "fake.pdf", "empty.pdf", "secret.pdf", "large.pdf"];
    for (const name of dropped) {
      page.say({ type: "context", request: { type: "attach-uris", uris: [uriOf(name)] } });
      await (name === "no-ending" ? page.next("attachments") : dialogues.until(`'${name}'`));
    }
    assert.deepEqual(
      page.chat.attachments.map(({ kind, name }) => [kind, name]),
      [["pdf", "no-ending"]],
    );
    assert.deepEqual(dialogues.messages, [
      "'ignored.pdf' was not attached because .gitignore excludes it.",
      "'fake.pdf' was not attached because it isn't a PDF file, although its name says so.",
      "'empty.pdf' was not attached because the PDF file is empty. Download or save the file again.",
      "'secret.pdf' was not attached because the PDF file is encrypted. Save a copy without encryption, and attach the copy.",
      "'large.pdf' is too large to attach (11 MB, the limit is 10 MB).",
    ]);
  });
});
