import assert from "node:assert/strict";
import { type Attachment, attachmentKinds } from "../../../../src/chat/transcript/attachments.ts";
import { ApiKey } from "../../../../src/client/key/apiKey.ts";
import { KnownKeys } from "../../../../src/editor/chat/knownKeys.ts";
import { asked } from "../../chat/transcript/sampleEvents.ts";
import { openTestStore, removeTestStores, writeConversation } from "../../chat/history/sampleConversation.ts";
import { fakeKey } from "../../service/fixture.ts";
import { sealFor } from "../../../support/sealFor.ts";

const value = fakeKey("searched-for");

/** An attachment of this kind that contains the key in each of its texts. */
function keyAttachment(kind: Attachment["kind"]): Attachment {
  return {
    id: kind,
    kind,
    name: `Search: ${value}`,
    detail: `2 lines containing ${value}`,
    characters: 0,
    place: { path: `src/${value}.ts`, firstLine: 1 },
    content:
      kind === "image"
        ? { type: "image", mediaType: "image/png", data: "" }
        : { type: "text", text: `a.ts:1: ${value}`, language: "" },
  };
}

async function knownKeys(): Promise<KnownKeys> {
  const key = new ApiKey(value, sealFor("https://service.example"));
  const known = new KnownKeys({
    list: async () => [{ connectionName: "Acme", variable: "ACME_KEY", key }],
  });
  await known.read();
  return known;
}

describe("KnownKeys", () => {
  afterEach(removeTestStores);

  it("removes keys from names, details, and paths of all kinds of attachments", async () => {
    const known = await knownKeys();
    for (const kind of attachmentKinds) {
      const [clean = assert.fail()] = known.cleanAttachments([keyAttachment(kind)]);
      assert.ok(!JSON.stringify(clean).includes(value), kind);
      assert.deepEqual([clean.name, clean.detail], ["Search: [API key]", "2 lines containing [API key]"]);
    }
    const { name, content: _, ...bare } = keyAttachment("image");
    assert.deepEqual(known.cleanAttachments([{ ...bare, name, detail: "", place: { path: "a" } }]), [
      { ...bare, name: "Search: [API key]", detail: "", place: { path: "a" } },
    ]);
  });

  it("leaves no key in stored or exported attachments", async () => {
    const known = await knownKeys();
    const event = asked("q1", null, "Why?");
    assert.ok(event.type === "question-asked");
    const attachments = attachmentKinds.map(keyAttachment);
    const turn = { ...event.turn, attachments, instructions: [keyAttachment("instructions")] };
    const { store } = await openTestStore();
    const id = await writeConversation(store, [known.cleanEvent({ ...event, turn })]);
    assert.ok(!JSON.stringify(await store.open(id)).includes(value));
    const dirty = await writeConversation(store, [{ ...event, turn }]);
    for (const format of ["json", "markdown"] as const) {
      const exported = (await store.exportConversation(dirty, format, known)) ?? assert.fail();
      assert.ok(!exported.includes(value), format);
    }
  });
});
