import assert from "node:assert/strict";
import { workspacePlace } from "../../../../src/connection/exposedKeys/workspacePlace.ts";

describe("where a workspace lies", () => {
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
