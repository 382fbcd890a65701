/** How a language reads an environment variable, and how it puts texts together. */
export type ReferenceSyntax =
  /** Code: the reference stands outside of string literals and is joined to them by `join`. */
  | {
      readonly kind: "expression";
      readonly reference: (variable: string) => string;
      /** Absent where literals cannot be joined by an operator. */
      readonly join?: string;
    }
  /** Text: the reference stands in the place of the key, whatever is around it. */
  | { readonly kind: "text"; readonly reference: (variable: string) => string };

const javaScript: ReferenceSyntax = {
  kind: "expression",
  reference: (variable) => `process.env.${variable}`,
  join: " + ",
};
const java: ReferenceSyntax = {
  kind: "expression",
  reference: (variable) => `System.getenv("${variable}")`,
  join: " + ",
};
const cLike: ReferenceSyntax = { kind: "expression", reference: (variable) => `getenv("${variable}")` };

/** `${X}`: shells, .env, YAML, JSON templates, Dockerfiles and whatever is not known. */
const text: ReferenceSyntax = { kind: "text", reference: (variable) => `\${${variable}}` };

/** By the editor's language ids. */
const syntaxes: ReadonlyMap<string, ReferenceSyntax> = new Map<string, ReferenceSyntax>([
  ["javascript", javaScript],
  ["javascriptreact", javaScript],
  ["typescript", javaScript],
  ["typescriptreact", javaScript],
  ["vue", javaScript],
  ["svelte", javaScript],
  ["coffeescript", javaScript],
  ["python", { kind: "expression", reference: (variable) => `os.environ["${variable}"]`, join: " + " }],
  ["powershell", { kind: "expression", reference: (variable) => `$env:${variable}`, join: " + " }],
  ["java", java],
  ["kotlin", java],
  ["groovy", java],
  ["scala", { kind: "expression", reference: (variable) => `sys.env("${variable}")`, join: " + " }],
  [
    "csharp",
    {
      kind: "expression",
      reference: (variable) => `System.Environment.GetEnvironmentVariable("${variable}")`,
      join: " + ",
    },
  ],
  ["go", { kind: "expression", reference: (variable) => `os.Getenv("${variable}")`, join: " + " }],
  ["rust", { kind: "expression", reference: (variable) => `std::env::var("${variable}").unwrap()` }],
  ["ruby", { kind: "expression", reference: (variable) => `ENV["${variable}"]`, join: " + " }],
  ["php", { kind: "expression", reference: (variable) => `getenv("${variable}")`, join: " . " }],
  ["perl", { kind: "expression", reference: (variable) => `$ENV{${variable}}`, join: " . " }],
  ["lua", { kind: "expression", reference: (variable) => `os.getenv("${variable}")`, join: " .. " }],
  ["julia", { kind: "expression", reference: (variable) => `ENV["${variable}"]`, join: " * " }],
  ["r", { kind: "expression", reference: (variable) => `Sys.getenv("${variable}")` }],
  ["c", cLike],
  ["cpp", cLike],
  ["bat", { kind: "text", reference: (variable) => `%${variable}%` }],
]);

export function referenceSyntaxOf(languageId: string): ReferenceSyntax {
  return syntaxes.get(languageId) ?? text;
}
