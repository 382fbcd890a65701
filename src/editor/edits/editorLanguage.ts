import * as vscode from "vscode";

/** What fences call languages, where the editor calls them otherwise. */
const names: Readonly<Record<string, string>> = {
  bash: "shellscript",
  bat: "bat",
  "c#": "csharp",
  "c++": "cpp",
  cmd: "bat",
  console: "shellscript",
  cs: "csharp",
  golang: "go",
  js: "javascript",
  jsx: "javascriptreact",
  kt: "kotlin",
  md: "markdown",
  ps1: "powershell",
  pwsh: "powershell",
  py: "python",
  rb: "ruby",
  rs: "rust",
  sh: "shellscript",
  shell: "shellscript",
  ts: "typescript",
  tsx: "typescriptreact",
  yml: "yaml",
  zsh: "shellscript",
};

/** The editor's id of a fence's language; undefined where it knows none. */
export async function editorLanguage(language: string): Promise<string | undefined> {
  const name = language.toLowerCase();
  const id = names[name] ?? name;
  return (await vscode.languages.getLanguages()).includes(id) ? id : undefined;
}
