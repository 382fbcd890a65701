import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The file to edit, with one mistake that VS Code reports: `lenght`. */
export const priceFile = `/** An item of a bill; prices are in cents. */
export interface Item {
  readonly price: number;
  readonly quantity: number;
}

export function total(items: readonly Item[]): number {
  let sum = 0;
  for (const item of items) {
    sum += item.price * item.quantity;
  }
  return sum;
}

export function average(items: readonly Item[]): number {
  return total(items) / items.lenght;
}

export function label(item: Item): string {
  return item.price + " cents";
}
`;

/** Runs git in the folder with a fixed author; returns its output. */
export async function git(folder: string, ...words: readonly string[]): Promise<string> {
  const identity = ["-c", "user.name=Someone", "-c", "user.email=someone@host.example"];
  return (await run("git", [...identity, ...words], { cwd: folder })).stdout;
}

export async function prepareRepository(folder: string): Promise<void> {
  await mkdir(path.join(folder, "src"));
  await writeFile(path.join(folder, "src", "price.ts"), priceFile);
  await git(folder, "init", "--quiet", "--initial-branch=main");
  await git(folder, "add", ".");
  await git(folder, "commit", "--quiet", "--message", "Sum up prices");
}

/** `total` with a variable renamed in three places. */
const renamedTotal = [
  "export function total(items: readonly Item[]): number {",
  "  let cents = 0;",
  "  for (const item of items) {",
  "    cents += item.price * item.quantity;",
  "  }",
  "  return cents;",
  "}",
].join("\n");

const comments = [
  {
    line: 7,
    quote: "let sum = 0;",
    severity: "hint",
    comment: "`sum` says little: name the unit. ![x](https://host.example/x.png)",
  },
  { line: 16, endLine: 16, severity: "error", comment: "Divides by zero for an empty bill." },
];

const answers: readonly (readonly [string, string])[] = [
  // The request of a refinement includes all earlier messages, but `message` is only the last one.
  ["in capitals", `\`\`\`ts\n${renamedTotal.replaceAll("cents", "CENTS")}\n\`\`\`\n`],
  ["Name the unit", `Here is the function:\n\n\`\`\`ts\n${renamedTotal}\n\`\`\`\n\nI renamed \`sum\`.`],
  ["Add a task", '```json\n{ "version": "2.0.0", "tasks": [{ "label": "build" }] }\n```'],
  ["Say why", "It adds up prices, and nothing needs to change."],
  [
    "Fix the part",
    "```ts\n// src/price.ts\nexport function average(items: readonly Item[]): number {\n  return total(items) / items.length;\n}\n```",
  ],
  [
    "Write documentation",
    '```ts\n/** What the item is called on the bill. */\nexport function label(item: Item): string {\n  return item.price + " cents";\n}\n```',
  ],
  ["Review the attached code", `\`\`\`json\n${JSON.stringify(comments)}\n\`\`\``],
  ["Explain the attached code", "It adds up a bill."],
  ["Explain this terminal output", "A greeting."],
];

export function answerInPlace(message: string): string | undefined {
  return answers.find(([words]) => message.includes(words))?.[1];
}
