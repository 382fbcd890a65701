import assert from "node:assert/strict";

interface Keybinding {
  readonly key: string;
  readonly command: string;
  readonly when: string;
}

/**
 * Throws where a binding of ours takes a key that another one has, or that does something by itself.
 * @param text the editor's file of default keybindings, with those of extensions
 */
export function assertNoClash(text: string): void {
  const all = readKeybindings(text);
  const own = all.filter(({ command }) => command.startsWith("inference."));
  const others = all.filter(({ command }) => !command.startsWith("inference."));
  assert.ok(own.length >= 4 && others.length > 500, `${own.length} of ours, ${others.length} of others`);
  for (const { key, command, when } of own) {
    const [first, second] = key.split(" ");
    if (second === undefined) {
      // A single key is ours only in a diff of our own.
      assert.match(when, /inference-proposal/, `${key} of ${command}`);
      continue;
    }
    assert.ok(
      others.some((other) => other.key.startsWith(`${first} `)),
      `${first} begins other chords`,
    );
    const same = others.filter((other) => other.key === key);
    assert.deepEqual(same, [], `${key} of ${command}`);
    // A key that does something by itself would never wait for the second one.
    const alone = others.filter((other) => other.key === first && !isElsewhere(when, other.when));
    assert.deepEqual(alone, [], `${first} of ${command}`);
  }
}

/** Whether a binding of a terminal, or of the debug console, is for a place that ours is not for. */
function isElsewhere(when: string, otherWhen: string): boolean {
  if (otherWhen === "false") return true;
  if (/editorTextFocus|scmRepository/.test(when)) return /terminal|repl/.test(otherWhen);
  if (/terminalFocus/.test(otherWhen)) return when.includes("!terminalFocus");
  return otherWhen.includes("repl.view") && when.includes("focusedView != 'workbench.panel.repl.view'");
}

/** The file is made by the editor: an object a binding, its members always in this order. */
function readKeybindings(text: string): readonly Keybinding[] {
  const entries = text.matchAll(
    /"key":\s*"([^"]+)",\s*"command":\s*"([^"]+)"(?:,\s*"when":\s*"((?:[^"\\]|\\.)*)")?/g,
  );
  return [...entries].map(([, key = "", command = "", when = ""]) => ({ key, command, when }));
}
