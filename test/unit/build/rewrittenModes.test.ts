import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { withoutUnusedModes } from "../../../build/leftOut.ts";
import { projectRoot } from "../../support/paths.ts";
import * as whole from "../../../src/webview/codeHighlighting.ts";

const usual = [
  "@media (min-width: 40em) and (orientation: landscape) {",
  "a:hover, .card > li::before { /* first */",
  "  color: red;",
  "  border: 1px solid #ff0000 !important;",
  "  background: url('a.png') no-repeat;",
  "  width: calc(100% - 2rem);",
  "}",
  "}",
];
const nested = [
  "$gap: 4px;",
  ".card {",
  "  &:hover { color: $gap; }",
  "  ul li { display: none; }",
  "  margin: 0 auto;",
  "}",
];

const nginx = [
  "# first",
  "worker_processes auto;",
  "http {",
  "  server {",
  "    listen 443 ssl;",
  '    server_name "a.example";',
  "    client_max_body_size 10m;",
  "    location /api { proxy_pass http://backend; proxy_set_header Host $host; return 301 /; }",
  "    gzip on; deny all; expires 30d;",
  "  }",
  "}",
];

const colorsOf = ({ createLineTokenizer }: typeof whole, language: string, lines: readonly string[]) => {
  const tokenizer = createLineTokenizer(language);
  assert.ok(tokenizer);
  return lines.map((line) => tokenizer.tokenize(line).map(({ text, kind }) => [text, kind]));
};

describe("the colours of CSS and nginx", () => {
  let built: typeof whole;
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "modes-"));
    const outfile = join(folder, "codeHighlighting.mjs");
    await build({
      stdin: { contents: `export * from "./src/webview/codeHighlighting.ts";`, resolveDir: projectRoot },
      plugins: [withoutUnusedModes],
      bundle: true,
      format: "esm",
      outfile,
    });
    built = await import(pathToFileURL(outfile).href);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it("are the same without the lists of its words", () => {
    for (const [language, lines] of [
      ["css", usual],
      ["scss", nested],
      ["less", nested.map((line) => line.replace("$", "@"))],
      ["nginx", nginx],
    ] as const)
      assert.deepEqual(colorsOf(built, language, lines), colorsOf(whole, language, lines), language);
  });

  it("are those of words that are newer than the lists as well", () => {
    const [tokens] = colorsOf(built, "css", ["a { text-box-trim: trim-both; }"]);
    assert.deepEqual(
      tokens?.filter(([text]) => text === "text-box-trim" || text === "trim-both"),
      [
        ["text-box-trim", "property"],
        ["trim-both", "constant"],
      ],
    );
  });
});
