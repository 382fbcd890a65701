import assert from "node:assert/strict";
import fc from "fast-check";
import { placeSnippet } from "../../../../src/chat/edits/snippetPlacement.ts";

interface Method {
  readonly name: string;
  readonly body: readonly string[];
}

interface Group {
  readonly name: string;
  readonly methods: readonly Method[];
}

/** How a language writes a class with methods. */
interface Language {
  readonly open: (name: string) => string;
  readonly method: (name: string) => string;
  readonly end: string | undefined;
  readonly indent: string;
}

const languages: Readonly<Record<string, Language>> = {
  typescript: { open: (name) => `class ${name} {`, method: (name) => `${name}(x) {`, end: "}", indent: "  " },
  python: {
    open: (name) => `class ${name}:`,
    method: (name) => `def ${name}(self, x):`,
    end: undefined,
    indent: "    ",
  },
  java: {
    open: (name) => `public class ${name} {`,
    method: (name) => `public int ${name}(int x) {`,
    end: "}",
    indent: "\t",
  },
  ruby: { open: (name) => `class ${name}`, method: (name) => `def ${name}(x)`, end: "end", indent: "  " },
  allman: {
    open: (name) => `class ${name}\n{`,
    method: (name) => `int ${name}(int x)\n{`,
    end: "}",
    indent: "    ",
  },
};

const marks = [
  "// ... existing code ...",
  "# ... rest of the code ...",
  "/* ... */",
  "// [other methods unchanged]",
  "<!-- ... -->",
  "...",
  "-- existing code",
  "// Rest bleibt unverändert",
  "// 其余代码保持不变",
  "# ... (остальное без изменений)",
];

function indented(text: string, by: string): string {
  return text.replaceAll(/^(?=.)/gm, by);
}

function methodText({ name, body }: Method, { method, end, indent }: Language): string {
  const lines = [method(name), ...body.map((line) => indent + line), ...(end === undefined ? [] : [end])];
  return lines.join("\n");
}

function groupText(group: Group, language: Language, write = methodText): string {
  const methods = group.methods.map((method) => indented(write(method, language), language.indent));
  return [
    language.open(group.name),
    methods.join("\n\n"),
    ...(language.end === undefined ? [] : [language.end]),
  ].join("\n");
}

const statement = fc.constantFrom("a = x + 1", "log(x)", "b(a, x)", "check(x)", "y = x");
const body = fc.array(statement, { minLength: 1, maxLength: 5 });
const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 });
const files = sizes.chain((counts) =>
  fc.tuple(
    ...counts.map((count, at) =>
      fc.tuple(...Array.from({ length: count }, () => body)).map((bodies): Group => ({
        name: `Class${at}`,
        methods: bodies.map((lines, index) => ({ name: `method${at}${index}`, body: lines })),
      })),
    ),
  ),
);
const picked = fc.record({
  language: fc.constantFrom(...Object.values(languages)),
  groups: files,
  group: fc.nat(),
  method: fc.nat(),
  fresh: body,
  mark: fc.constantFrom(...marks),
  cursor: fc.nat({ max: 60 }),
});

/** Makes each line of the body unique. */
const numbered = (method: Method): Method => ({
  ...method,
  body: method.body.map((line, at) => `${line} + ${method.name.slice(6)}${at}`),
});

describe("code with omissions", () => {
  it("changes only the method that it shows", () => {
    fc.assert(
      fc.property(picked, ({ language, groups, group, method, fresh, mark, cursor }) => {
        const chosen = groups[group % groups.length] ?? assert.fail();
        const changed = chosen.methods[method % chosen.methods.length] ?? assert.fail();
        const file = `${groups.map((each) => groupText(each, language)).join("\n\n")}\n`;
        const at = chosen.methods.indexOf(changed);
        const next = { ...changed, body: ["z = 1", ...fresh] };
        const expected = `${groups
          .map((each) =>
            groupText(each === chosen ? { ...each, methods: each.methods.with(at, next) } : each, language),
          )
          .join("\n\n")}\n`;
        const inner = [
          ...(at > 0 ? [mark] : []),
          methodText(next, language),
          ...(at < chosen.methods.length - 1 ? [mark] : []),
        ];
        const end = language.end === undefined ? [] : [language.end];
        const block = [
          language.open(chosen.name),
          indented(inner.join("\n\n"), language.indent),
          ...end,
        ].join("\n");
        for (const code of [block, `${mark}\n\n${block}\n\n${mark}`, methodText(next, language)]) {
          const { kind, text } = placeSnippet(file, code, cursor);
          assert.ok(kind === "lines" || kind === "file", code);
          assert.equal(text, expected, code);
        }
      }),
      { numRuns: 1500 },
    );
  });

  it("changes nothing if it only omits code", () => {
    let sure = 0;
    let all = 0;
    const choices = fc.array(fc.boolean(), { minLength: 60, maxLength: 60 });
    fc.assert(
      fc.property(
        files,
        fc.constantFrom(...Object.values(languages)),
        choices,
        fc.constantFrom(...marks),
        (groups, language, shown, mark) => {
          let turn = 0;
          const isShown = (): boolean => shown[(turn += 1) % shown.length] ?? true;
          // Adjacent omitted parts become one mark.
          const abridge = (parts: readonly string[], between: string, marked: string): string =>
            parts
              .map((part) => (isShown() ? part : marked))
              .filter((part, at, texts) => part !== marked || texts[at - 1] !== marked)
              .join(between);
          const write = (method: Method, { method: head, end, indent }: Language): string =>
            [
              head(method.name),
              abridge(
                numbered(method).body.map((line) => indent + line),
                "\n",
                indent + mark,
              ),
              ...(end === undefined ? [] : [end]),
            ].join("\n");
          const whole = `${groups.map((each) => groupText({ ...each, methods: each.methods.map(numbered) }, language)).join("\n\n")}\n`;
          const code = abridge(
            groups.map((each) => {
              const methods = each.methods.map((method) =>
                indented(write(method, language), language.indent),
              );
              const end = language.end === undefined ? [] : [language.end];
              return [
                language.open(each.name),
                abridge(methods, "\n\n", language.indent + mark),
                ...end,
              ].join("\n");
            }),
            "\n\n",
            mark,
          );
          const { kind, text } = placeSnippet(whole, code, 0);
          assert.equal(text, whole, code);
          all += 1;
          if (kind !== "unsure") sure += 1;
        },
      ),
      { numRuns: 1500 },
    );
    assert.ok(sure > 0.97 * all, `${sure} of ${all}`);
  });

  it("never inserts the mark of an omission, and changes nothing if the place is unsure", () => {
    const line = fc.constantFrom(
      "class A {",
      "class B {",
      "one() {",
      "two(a) {",
      "}",
      "",
      "x = 1;",
      "return x;",
      "if (x) {",
      "});",
      "} else {",
    );
    const indent = fc.constantFrom("", "  ", "    ");
    const lines = fc.array(
      fc.tuple(indent, line).map((parts) => parts.join("")),
      { maxLength: 14 },
    );
    fc.assert(
      fc.property(
        lines,
        lines,
        fc.constantFrom(...marks),
        fc.nat({ max: 20 }),
        (fileLines, codeLines, mark, cursor) => {
          const file = fileLines.join("\n");
          const code = [...codeLines.slice(0, 4), mark, ...codeLines.slice(4)].join("\n");
          const { kind, text } = placeSnippet(file, code, cursor);
          if (kind === "unsure") assert.equal(text, file);
          assert.ok(!text.includes(mark), text);
        },
      ),
      { numRuns: 3000 },
    );
  });
});
