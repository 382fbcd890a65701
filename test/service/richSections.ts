/** Every kind of Markdown, in sections. */
export const richSections: readonly string[] = [
  `## A tour of Markdown

This paragraph has **bold**, *emphasis*, ***both***, ~~struck~~ words, \`inline code\` and a
[link](https://example.com/). It also has text in other scripts: 日本語, Ελληνικά, עברית, हिन्दी, and 🌱.

`,
  `### Lists

- Apples
- Pears
  - ripe
  - not yet ripe
- Plums

1. Read the message.
2. Think about it.
   1. Once.
   2. Twice.
3. Answer.

- [x] Store the key
- [x] Check the connection
- [ ] Ask a question

`,
  `### A table

| Model | Words per second | Good for |
|:------|-----------------:|:--------:|
| \`service-mini\` | 90 | short answers |
| \`service-core\` | 60 | most things |
| \`service-large\` | 25 | **long thoughts** |

`,
  `### Quotes

> A quote of one line.
>
> - with a list inside
>
> > and a quote within the quote.

---

`,
  `### Code

\`\`\`typescript
interface Greeting {
  readonly name: string;
}

export function greet({ name }: Greeting): string {
  return \`Hello, \${name}!\`;
}
\`\`\`

\`\`\`python
def fibonacci(limit: int) -> list[int]:
    numbers = [0, 1]
    while numbers[-1] + numbers[-2] < limit:
        numbers.append(numbers[-1] + numbers[-2])
    return numbers
\`\`\`

`,
  `\`\`\`rust
fn longest<'a>(words: &[&'a str]) -> Option<&'a str> {
    words.iter().copied().max_by_key(|word| word.len())
}
\`\`\`

\`\`\`sql
SELECT model, count(*) AS answers
FROM calls
WHERE status < 400 AND model <> '<none>'
GROUP BY model;
\`\`\`

\`\`\`bash
for name in *.md; do
  wc -w "$name"
done
\`\`\`

`,
  `\`\`\`json
{ "model": "service-core", "max_tokens": 1 }
\`\`\`

\`\`\`diff
- const limit = 10;
+ const limit = 100;
\`\`\`

\`\`\`html
<script>document.title = "only text, never run";</script>
\`\`\`

    a block by indentation, in no language

#### The end of the tour

Thank you for reading.

`,
];
