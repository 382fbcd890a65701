/** Answers like models write them, the same each time: prose, headings, lists, tables, code and links. */
import { createRandom } from "./random.ts";

type Random = () => number;

const words =
  "the reader keeps a small buffer and hands every line on as soon as it is whole so that nothing waits longer than it must when the service is slow a request may be sent again only if nobody can have taken it before which is why the order of these checks matters more than their speed".split(
    " ",
  );
const names = "buffer reader session client report window record header answer".split(" ");

const inlines: readonly ((random: Random) => string)[] = [
  (random) => `\`${nameOf(random)}.${nameOf(random)}()\``,
  (random) => `**${phrase(random, 2)}**`,
  (random) => `*${phrase(random, 1)}*`,
  (random) => `[${phrase(random, 2)}](https://docs.example/${nameOf(random)}#${nameOf(random)})`,
  (random) => `\`src/${nameOf(random)}/${nameOf(random)}.ts\``,
];

const codes: readonly ((random: Random) => string)[] = [
  (random) =>
    fence("ts", random, (line, name) => [
      `export async function ${name}${line}(size: number, options?: Options): Promise<string[]> {`,
      `  const lines = await this.#${name}.read({ size, offset: ${line} });`,
      '  return lines.filter((each) => each !== "").map((each) => `${each}!`); // keeps the order',
      "}",
    ]),
  (random) =>
    fence("python", random, (line, name) => [
      `def ${name}_${line}(path: str, *, limit: int = ${line}) -> list[float]:`,
      `    """Reads at most \`limit\` values of a ${name}."""`,
      "    with open(path, encoding='utf-8') as file:",
      "        return [float(row.split(',')[1]) for row in islice(file, limit) if row.strip()]",
    ]),
  (random) =>
    fence("json", random, (line, name) => [
      `{ "${name}": [${line}, true, null], "kind": "${name}-${line}" }`,
    ]),
  (random) =>
    fence("sql", random, (line, name) => [
      `SELECT ${name}.id, count(*) AS total FROM ${name} JOIN report ON report.id = ${name}.id`,
      `WHERE total > ${line} AND name LIKE 'a%' GROUP BY ${name}.id ORDER BY total DESC;`,
    ]),
  (random) =>
    fence("bash", random, (line, name) => [
      `for file in $(ls "$HOME/${name}"); do echo "$file: ${line}" >> ${name}.log; done`,
    ]),
  (random) =>
    fence("css", random, (line, name) => [
      `.${name}-${line} > a:hover {`,
      `  padding-inline: ${line}px;`,
      "  color: var(--accent, #06c);",
      "}",
    ]),
];

const blocks: readonly ((random: Random) => string)[] = [
  paragraph,
  paragraph,
  (random) => list(random, () => "- "),
  paragraph,
  code,
  paragraph,
  (random) => list(random, (index) => `${index + 1}. `),
  table,
  paragraph,
  code,
  (random) => `> ${sentence(random)}\n> ${sentence(random)}`,
  (random) => list(random, (index) => (index % 2 === 0 ? "- [x] " : "- [ ] ")),
  steps,
  (random) => within("> ", `${sentence(random)}\n\n${code(random)}`),
];

/** Creates a text of exactly `length` UTF-16 units. */
export function createSampleAnswer(length: number): string {
  const random = createRandom(11);
  const parts: string[] = [];
  for (let written = 0, section = 1; written < length; section += 1) {
    const heading = `${section % 4 === 1 ? "##" : "###"} ${section}. ${phrase(random, 4)}`;
    const part = [heading, ...blocks.map((create) => create(random))].join("\n\n");
    parts.push(part);
    written += part.length + 2;
  }
  return parts.join("\n\n").slice(0, length);
}

function pick<Item>(random: Random, items: readonly Item[], otherwise: Item): Item {
  return items[Math.floor(random() * items.length)] ?? otherwise;
}

function nameOf(random: Random): string {
  return pick(random, names, "name");
}

function phrase(random: Random, count: number): string {
  return Array.from({ length: count }, () => pick(random, words, "word")).join(" ");
}

function sentence(random: Random): string {
  const inline = pick(random, inlines, () => "");
  const text = `${phrase(random, 8)} ${inline(random)} ${phrase(random, 5)}.`;
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function paragraph(random: Random): string {
  return Array.from({ length: 2 + Math.floor(random() * 4) }, () => sentence(random)).join(" ");
}

function list(random: Random, mark: (index: number) => string): string {
  const items = Array.from({ length: 3 + Math.floor(random() * 5) }, (_, index) => {
    const nested = random() < 0.2 ? `\n    - ${sentence(random)}` : "";
    return `${mark(index)}${sentence(random)}${nested}`;
  });
  return items.join("\n");
}

/** A numbered list with code in its items, and in the items of nested lists. */
function steps(random: Random): string {
  const items = Array.from({ length: 2 + Math.floor(random() * 3) }, (_, index) => {
    const nested =
      random() < 0.3 ? `\n${within("  ", `- ${sentence(random)}`)}\n${within("    ", code(random))}` : "";
    const item = `${sentence(random)}\n\n${code(random)}${nested}`;
    return `${index + 1}. ${within("   ", item).trimStart()}`;
  });
  return items.join("\n\n");
}

function within(indent: string, text: string): string {
  return text.replaceAll(/^/gm, indent);
}

function table(random: Random): string {
  const rows = Array.from(
    { length: 3 + Math.floor(random() * 8) },
    () => `| \`${nameOf(random)}\` | ${phrase(random, 3)} | ${Math.floor(random() * 1000)} |`,
  );
  return ["| Name | What it does | Size |", "| --- | --- | ---: |", ...rows].join("\n");
}

function code(random: Random): string {
  return pick(random, codes, () => "")(random);
}

function fence(
  language: string,
  random: Random,
  linesOf: (line: number, name: string) => readonly string[],
): string {
  const lines = Array.from({ length: 2 + Math.floor(random() * 6) }, (_, line) =>
    linesOf(line, nameOf(random)),
  ).flat();
  return ["```" + language, ...lines, "```"].join("\n");
}
