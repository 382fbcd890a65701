/** Answers that are hard to lay out or to read, by question. */
export const everyoneAnswers: Readonly<Record<string, string>> = {
  "Show me everything": `## Of every kind

A word that is far too long: ${"Donaudampfschifffahrt".repeat(6)}, a path
\`/srv/${"deeply/nested/".repeat(8)}file.ts\`, ==no mark==, a [link](https://example.com/), and summary.ts:3.

| Model | Words per second | Good for | And what more there is to be said |
|:------|-----------------:|:--------:|---|
| \`service-mini\` | 90 | short answers | ${"averylongcellwithoutspaces".repeat(3)} |
| \`service-large\` | 25 | **long thoughts** | nothing |

- [x] Store the key
- [ ] Ask a question
  1. once
  2. twice

> A quote
>
> > within a quote

\`\`\`ts title=src/${"a-long-folder-name/".repeat(3)}totals.ts
// A comment
export const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) * 42 + "text".length;
\`\`\`

\`\`\`bash
echo "hidden\u202e"
\`\`\`
`,
  "Both ways": `مرحبا بالعالم، استخدم \`npm install\` ثم شغّل البرنامج.

Hello world, this paragraph goes from left to right.

שלום עולם! הפונקציה \`greet(name)\` מחזירה טקסט.

- أولاً: اقرأ الرسالة
- ثانياً: فكّر فيها

1. First read it
2. Then think

> اقتباس باللغة العربية

| الاسم | السرعة |
|---|---|
| الأول | 90 |

\`\`\`ts
const greeting = "שלום"; // left to right
\`\`\`

השורה האחרונה.
`,
};
