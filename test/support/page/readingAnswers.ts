import { readFileSync } from "node:fs";
import { sampleWorkspace } from "../paths.ts";

const sample = readFileSync(`${sampleWorkspace}/summary.ts`, "utf8");

/** Answers with code, by question. */
export const readingAnswers: Readonly<Record<string, string>> = {
  code: `Here is a function:

\`\`\`ts
// src/totals.ts
import { readFile } from "node:fs/promises";

/** A total of 12 numbers. */
export class Totals<T extends object> {
  readonly count: number = 42;

  async total(name: string): Promise<number> {
    const text = await readFile(\`\${name}.csv\`, "utf8");
    return text.split("\\n").length * this.count || null;
  }
}
\`\`\`

And in a list:

1. Python
   \`\`\`python
   def greet(name: str) -> None:
       """Says hello."""
       print(f"Hello {name}", 3.14)  # at once
   \`\`\`
2. A page

   \`\`\`html
   <p class="note">Text &amp; more</p>
   \`\`\`

\`\`\`diff
-old line
+new line
\`\`\`

\`\`\`json
{ "name": "value", "list": [1, true, null] }
\`\`\`
`,
  "same code": `\`\`\`ts\n${sample}\`\`\`\n`,
  invisible:
    'Look at `us\u200Der`:\n\n```js\nif (level !== "user\u202E \u2066// admin") {\u200B\n}\n```\n\nEmoji such as `👩‍👩‍👧` are seen.',
  shell:
    "Run this:\n\n```bash\necho seen-$((40 + 2))\u200B\n```\n\nor\n\n```sh\n$ echo typed > ran.txt\n```\n\nor\n\n```sh\necho \u0003\n```\n",
  apply:
    "```ts title=changed.ts\nexport function first(value: number): number {\n  return value * 2; // Twice\n}\n\n// ... existing code ...\n\nexport function last(value: number): number {\n  return value * 3; // Thrice\n}\n```\n",
  "several files":
    "In `src/price.ts`:\n\n```ts\nlet cents = 0;\n```\n\n```ts:src/bill.ts\nexport const bill = 1;\n```\n",
  links:
    "See [the summary](summary.ts#L10), `summary.ts:3`, `missing.ts:3`, ./readings.csv:2 and [outside](../../etc/passwd.txt), but not [this](command:workbench.action.quit), [that](vscode://file/etc/passwd), [a call](tel:123), [a store](ftp://h.example/x) or `Array.from`.",
};
