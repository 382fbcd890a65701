import assert from "node:assert/strict";
import { fakeKey, openDesk, soon, type Desk } from "./fixture.ts";

async function list({ service, key }: Pick<Desk, "service" | "key">, headers: Record<string, string> = {}) {
  const response = await fetch(`${service.origin}/v1/models`, {
    headers: { authorization: `Bearer ${key}`, ...headers },
    signal: soon(),
  });
  const body: unknown = await response.json();
  return { response, body };
}

const created = 1_767_225_600;
const entry = (id: string) => ({ id, object: "model", created, owned_by: "service" });

describe("reference service: GET /v1/models", () => {
  it("lists all models for a key without an allow-list", async () => {
    await using desk = await openDesk();
    const { response, body } = await list(desk);
    assert.equal(response.status, 200);
    assert.deepEqual(body, {
      object: "list",
      data: [entry("service-core"), entry("service-mini"), entry("service-large")],
    });
  });

  it("lists only the models on the current allow-list", async () => {
    await using desk = await openDesk();
    desk.service.keys.change(desk.key, { models: ["service-mini", "service-none"] });
    assert.deepEqual((await list(desk)).body, { object: "list", data: [entry("service-mini")] });
    desk.service.keys.change(desk.key, { models: undefined });
    assert.match(JSON.stringify((await list(desk)).body), /service-large/u);
  });

  it("answers a Messages client in the format of that style", async () => {
    await using desk = await openDesk({ models: ["service-core"] });
    const { body } = await list(desk, { "anthropic-version": "2023-06-01" });
    assert.deepEqual(body, {
      data: [
        {
          type: "model",
          id: "service-core",
          display_name: "service-core",
          created_at: "2026-01-01T00:00:00.000Z",
        },
      ],
      has_more: false,
      first_id: "service-core",
      last_id: "service-core",
    });
  });

  it("is never billed and works without a remaining budget", async () => {
    await using desk = await openDesk();
    const key = desk.service.keys.add({ budget: 0 }, fakeKey("spent"));
    assert.equal((await list({ ...desk, key })).response.status, 200);
    assert.equal(desk.service.keys.spent(key), 0);
  });
});
