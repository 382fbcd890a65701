import assert from "node:assert/strict";
import path from "node:path";
import { causes } from "../../../src/client/failure/cause.ts";
import { readFacts } from "../../../src/connection/diagnosis/diagnosisFacts.ts";
import { causeTable } from "../../../src/connection/diagnosis/causeTable.ts";
import { createTranslate } from "../../../src/text/translate.ts";
import { readDocument, repositoryFiles } from "./documents.ts";

const folder = "docs/causes/";

describe("the documents", () => {
  const files = repositoryFiles();
  const documents = files.filter((name) => name.endsWith(".md") && !name.startsWith("test/"));
  const pages = files.filter((name) => name.startsWith(folder));

  it("have exactly one page for each cause", () => {
    assert.deepEqual(
      pages.map((name) => name.slice(folder.length)).sort(),
      causes.map((cause) => `${cause}.md`).sort(),
    );
  });

  for (const cause of causes) {
    it(`give ${cause} the title that the chat shows, then the fix, then the reason`, () => {
      const facts = readFacts({ kind: "unknown", detail: "" }, {});
      const { title } = causeTable[cause].words(facts, createTranslate());
      const page = readDocument(`${folder}${cause}.md`);
      assert.ok(page.startsWith(`# ${title}\n\nCause ID: \`${cause}\`\n`), page.slice(0, 80));
      const headings = [...page.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
      assert.deepEqual(headings.slice(0, 2), ["Fix it", "Why it happens"]);
    });
  }

  it("are all reachable from docs/README.md", () => {
    const reached = new Set(["docs/README.md"]);
    for (const name of reached) for (const { target } of linksOf(name)) reached.add(target);
    const all = documents.filter((name) => name.startsWith("docs/"));
    assert.deepEqual(
      all.filter((name) => !reached.has(name)),
      [],
    );
  });

  it("contain no broken link", () => {
    const broken = documents.flatMap((name) =>
      linksOf(name)
        .filter(({ target, anchor }) => !leads(target, anchor))
        .map(({ target, anchor }) => `${name}: ${target}${anchor}`),
    );
    assert.deepEqual(broken, []);
  });

  function leads(target: string, anchor: string): boolean {
    if (!files.includes(target)) return false;
    return anchor === "" || anchorsOf(readDocument(target)).includes(anchor.slice(1));
  }
});

/** Links of a document to files of the repository. */
function linksOf(name: string): readonly { readonly target: string; readonly anchor: string }[] {
  if (!name.endsWith(".md")) return [];
  const text = readDocument(name).replaceAll(/```[^]*?```|`[^`\n]*`/g, "");
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, link = ""]) => {
    if (/^[a-z]+:/.test(link)) return [];
    const [file = "", anchor] = link.split("#");
    const target = file === "" ? name : path.posix.join(path.posix.dirname(name), file);
    return [{ target, anchor: anchor === undefined ? "" : `#${anchor}` }];
  });
}

/** Anchors as repository hosts derive them from headings. */
function anchorsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} -]/gu, "")
      .replaceAll(" ", "-"),
  );
}
