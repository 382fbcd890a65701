// Part of `npm run lint`: fails if a comment, a test title or an error message matches a pattern of the guide.
import { globSync, readFileSync } from "node:fs";
import { findPatterns, readWrittenTexts } from "./plainWords.ts";

const files = globSync(["*.mjs", "{build,src,test}/**/*.{ts,tsx,mjs,cjs}"]).filter(
  (file) => !file.startsWith("test/support/sample-workspace/"),
);
const counts = {
  comment: { all: 0, matching: 0 },
  title: { all: 0, matching: 0 },
  error: { all: 0, matching: 0 },
};
for (const file of files.toSorted()) {
  for (const written of readWrittenTexts(file, readFileSync(file, "utf8"))) {
    const found = findPatterns(written);
    const count = counts[written.kind];
    count.all += 1;
    if (found.length === 0) continue;
    count.matching += 1;
    console.log(
      `${file}:${written.line} ${written.kind}: ${found.join(", ")}\n  ${written.text.replaceAll("\n", " ")}`,
    );
  }
}
for (const [kind, { all, matching }] of Object.entries(counts)) {
  console.log(`${kind}s: ${matching} of ${all} match (${((100 * matching) / all).toFixed(1)} %)`);
  if (matching > 0) process.exitCode = 1;
}
