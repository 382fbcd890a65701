import assert from "node:assert/strict";
import { formatIncident, workspacePlace } from "../../../../src/connection/exposedKeys/incidentRecord.ts";
import type { KeyIncident } from "../../../../src/connection/exposedKeys/incidentRecord.ts";

const incident: KeyIncident = {
  connection: "Acme",
  sealedTo: "https://h.example",
  noticedAt: "2030-01-10T08:00:00.000Z",
  places: ["src/settings.ts:4"],
  alsoUsedBy: [
    { kind: "workspace", name: "acme", place: "~/work/acme", isThis: true },
    { kind: "workspace", name: "old", isThis: false },
    { kind: "connection", name: "Beta", shares: "key" },
    { kind: "connection", name: "Gamma", shares: "service" },
  ],
};

describe("an incident record", () => {
  it("states the time of each step on one line", () => {
    const line = formatIncident({
      ...incident,
      revokedAt: "2030-01-10T08:01:00.000Z",
      replacedAt: "2030-01-10T08:02:00.000Z",
      check: { at: "2030-01-10T08:03:00.000Z", outcome: "passed" },
    });
    assert.equal(
      line,
      'noticed: 2030-01-10T08:00:00.000Z, exposed API key of "Acme" (https://h.example); found in: src/settings.ts:4; ' +
        "revoked: 2030-01-10T08:01:00.000Z; replaced: 2030-01-10T08:02:00.000Z; checked: 2030-01-10T08:03:00.000Z, passed; " +
        "also used by: workspace acme (~/work/acme), workspace old, connection Beta (the same key), connection Gamma (the same service)",
    );
  });

  it("states the steps that were not done", () => {
    const line = formatIncident({ ...incident, places: [], alsoUsedBy: [] });
    for (const words of ["found in: none known", "revoked: not confirmed", "replaced: not in VS Code"])
      assert.ok(line.includes(words), line);
    assert.ok(line.includes("checked: not yet; also used by: none known"), line);
  });

  it("states how a check ended if it did not pass", () => {
    const at = "2030-01-10T08:03:00.000Z";
    const words = { "not-passed": "not passed", cancelled: "canceled", error: "did not finish" } as const;
    for (const outcome of ["not-passed", "cancelled", "error"] as const)
      assert.ok(formatIncident({ ...incident, check: { at, outcome } }).includes(`${at}, ${words[outcome]}`));
  });
});

describe("the place of a workspace", () => {
  const cases: readonly (readonly [string, string, string | undefined])[] = [
    ["file:///home/someone/work/acme", "/home/someone", "~/work/acme"],
    ["file:///home/someone", "/home/someone/", "~"],
    ["file:///home/someone-else/acme", "/home/someone", "…/someone-else/acme"],
    ["file:///srv/clients/acme%20%C3%A9", "/home/someone", "…/clients/acme é"],
    ["file:///c%3A/Users/Someone/acme", "C:/Users/Someone", "~/acme"],
    ["file:///C:/Users/Someone/acme", "c:/Users/Someone", "~/acme"],
    ["file:///d%3A/Users/Someone/acme", "C:/Users/Someone", "…/Someone/acme"],
    [
      "vscode-remote://ssh-remote%2Bbox/home/someone/work/acme",
      "/home/someone",
      "ssh-remote+box: …/work/acme",
    ],
    ["file:///acme", "", "…/acme"],
    ["file:///100%/acme", "/home/someone", "…/100%/acme"],
    ["not a uri", "/home/someone", undefined],
  ];
  for (const [uri, home, place] of cases) {
    it(`is ${String(place)} for ${uri}`, () => assert.equal(workspacePlace(uri, home), place));
  }
});
