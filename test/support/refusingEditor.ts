import { existsSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import path from "node:path";
import { copyWithChanges, type EditorChange, replaceOnce } from "./editorCopy.ts";
import { withLockFile } from "./lockFile.ts";

/** The files in which the extension host and the window decide whether an extension may use a proposed API. */
const files = [
  path.join("out", "vs", "workbench", "api", "node", "extensionHostProcess.js"),
  path.join("out", "vs", "code", "browser", "workbench", "workbench.js"),
] as const;

/** The code that refuses, and the name of the function that it asks. */
const refusal =
  /function [\w$]+\((?<extension>\w+),\w+\)\{if\(!(?<allows>[\w$]+)\(\k<extension>,\w+\)\)throw new Error\(`Extension '\$\{\k<extension>\.identifier\.value\}' CANNOT use API proposal/g;

/**
 * Provides a copy of VS Code that refuses proposed API like the product. code-server's VS Code allows proposed API to
 * every extension. Makes the copy once, beside the original.
 *
 * @param original the root of VS Code inside code-server
 *
 * @returns the root of the copy
 *
 * @throws Error if the function that decides is not found
 */
export async function provideRefusingEditor(original: string): Promise<string> {
  const copy = path.join(path.dirname(original), "vscode-refusing");
  if (existsSync(copy)) return copy;
  await withLockFile(`${copy}.lock`, async () => {
    if (existsSync(copy)) return;
    const temporary = await mkdtemp(`${copy}-`);
    try {
      const whole = path.join(temporary, "vscode");
      await copyWithChanges(original, whole, files.map(refuseIn));
      await rename(whole, copy);
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
  });
  return copy;
}

function refuseIn(file: string): EditorChange {
  return { file, change: refuseProposals };
}

/** Changes the function that allows every proposed API: it then checks the manifest of the extension. */
function refuseProposals(text: string): string {
  const names = [...text.matchAll(refusal)].flatMap(({ groups }) => groups?.["allows"] ?? []);
  const [name] = names;
  if (name === undefined || names.length !== 1)
    throw new Error(`Expected 1 function that decides on proposed API, found ${names.length}.`);
  const allows = new RegExp(
    `(?<head>function ${name.replaceAll("$", "\\$")}\\((?<extension>\\w+),(?<proposal>\\w+)\\)\\{)return!0\\}`,
    "g",
  );
  return replaceOnce(
    text,
    allows,
    '$<head>return!!$<extension>?.enabledApiProposals?.some(each=>each.split("@")[0]===$<proposal>)}',
  );
}
