import assert from "node:assert/strict";
import * as vscode from "vscode";
import * as v from "valibot";
import { clientStyles } from "../../src/protocol/conversation/wireStyle.ts";
import { startReferenceService, type ReferenceService } from "../service/serve.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { writeConnections } from "./testConnections.ts";

const keyVariable = "INFERENCE_HOST_TEST_KEY";

const checkSchema = v.strictObject({
  ok: v.boolean(),
  connection: v.string(),
  clientStyle: v.string(),
  model: v.string(),
  at: v.pipe(v.string(), v.isoTimestamp()),
  steps: v.array(
    v.strictObject({
      id: v.string(),
      ok: v.boolean(),
      skipped: v.optional(v.boolean()),
      ms: v.number(),
      status: v.optional(v.number()),
      requestId: v.optional(v.string()),
      cause: v.optional(v.string()),
      detail: v.optional(v.string()),
      network: v.optional(v.looseObject({ transport: v.string() })),
    }),
  ),
});

async function check(argument: object): Promise<v.InferOutput<typeof checkSchema>> {
  return v.parse(checkSchema, await vscode.commands.executeCommand("inference.checkConnection", argument));
}

/** Each step as its ID with `ok`, `skipped` or its cause. */
function summary({ steps }: v.InferOutput<typeof checkSchema>): readonly string[] {
  return steps.map(
    ({ id, ok, skipped, cause }) => `${id} ${ok ? "ok" : skipped === true ? "skipped" : cause}`,
  );
}

describe("the commands for scripts, against the reference service", () => {
  let service: ReferenceService;
  let key: string;

  before(async () => {
    service = await startReferenceService();
  });
  beforeEach(async () => {
    key = service.keys.add({});
    process.env[keyVariable] = key;
    service.journal.clear();
    await writeConnections(
      clientStyles.map((clientStyle) => ({
        name: clientStyle,
        baseUrl: service.origin,
        clientStyle,
        keyVariable,
      })),
    );
  });
  after(async () => {
    delete process.env[keyVariable];
    await writeConnections(undefined);
    await service.close();
  });

  it("checks a Chat Completions connection as the specification says", async () => {
    const result = await check({ connection: "chat-completions" });
    assert.ok(result.ok);
    assert.deepEqual(summary(result), [
      "address ok",
      "key ok",
      "network ok",
      "models ok",
      "completion ok",
      "message skipped",
    ]);
    assert.deepEqual(
      service.journal.entries.map(({ method, path }) => `${method} ${path}`),
      ["GET /v1/models", "POST /v1/chat/completions"],
    );
    const completion = result.steps.find(({ id }) => id === "completion");
    assert.equal(completion?.status, 200);
    assert.equal(completion?.requestId, service.journal.entries[1]?.requestId);
    assert.equal(service.journal.entries[1]?.outputTokens, 1);
  });

  it("checks a Messages connection with an extra message", async () => {
    const result = await check({ connection: "messages" });
    assert.ok(result.ok);
    assert.deepEqual(
      service.journal.entries.map(({ path }) => path),
      ["/v1/models", "/v1/chat/completions", "/v1/messages"],
    );
  });

  it("sends no billable request if told so, and does not report a passed check", async () => {
    const result = await check({ connection: "messages", billable: false });
    assert.ok(!result.ok);
    assert.deepEqual(summary(result).slice(3), ["models ok", "completion skipped", "message skipped"]);
    assert.deepEqual(
      service.journal.entries.map(({ path }) => path),
      ["/v1/models"],
    );
  });

  const refusals: readonly (readonly [string, string, () => void])[] = [
    ["an unknown key", "models invalid-key", () => void (process.env[keyVariable] = fakeKey("unknown"))],
    ["a revoked key", "models revoked-key", () => service.keys.revoke(key)],
    ["an expired key", "models expired-key", () => service.keys.change(key, { expiresAt: new Date(0) })],
    ["a spent budget", "completion budget-exhausted", () => service.keys.change(key, { budget: 0 })],
    [
      "a model off the list",
      "completion model-not-allowed",
      () => service.keys.change(key, { models: ["service-mini"] }),
    ],
    ["an empty variable", "key empty-key", () => void (process.env[keyVariable] = "")],
    ["an extra space", "key malformed-key", () => void (process.env[keyVariable] = ` ${key}`)],
    ["a login for a key", "key not-a-key", () => void (process.env[keyVariable] = "me@h.example:password")],
  ];
  for (const style of clientStyles) {
    for (const [name, failedStep, arrange] of refusals) {
      it(`diagnoses ${name} (${style})`, async () => {
        arrange();
        const result = await check({ connection: style });
        assert.ok(!result.ok);
        assert.ok(summary(result).includes(failedStep), summary(result).join(", "));
        assert.ok(!JSON.stringify(result).includes(key));
      });
    }
  }

  it("sends nothing if the key or the base URL is invalid", async () => {
    process.env[keyVariable] = `"${key}"`;
    await check({ connection: "messages" });
    await writeConnections([{ name: "plain", baseUrl: "http://h.example", keyVariable }]);
    assert.deepEqual(summary(await check({ connection: "plain" }))[0], "address insecure-address");
    assert.equal(service.journal.entries.length, 0);
  });

  it("lists the models as plain JSON", async () => {
    const listed = await vscode.commands.executeCommand("inference.listModels", { connection: "messages" });
    const { connection, models } = v.parse(
      v.object({ connection: v.string(), models: v.array(v.looseObject({ id: v.string() })) }),
      listed,
    );
    assert.equal(connection, "messages");
    assert.ok(models.some(({ id }) => id === "service-core"));
    assert.deepEqual(JSON.parse(JSON.stringify(listed)), listed);
  });

  it("rejects with the diagnosis and the cause ID if models cannot be listed", async () => {
    service.keys.revoke(key);
    await assert.rejects(
      async () => vscode.commands.executeCommand("inference.listModels", { connection: "messages" }),
      (error: unknown) =>
        error instanceof Error && error.cause === "revoked-key" && error.message.length > 20,
    );
  });

  it("rejects a connection that does not exist", async () => {
    await assert.rejects(async () =>
      vscode.commands.executeCommand("inference.checkConnection", { connection: "none" }),
    );
  });
});
