import assert from "node:assert/strict";

interface Keybinding {
  readonly key: string;
  readonly command: string;
  readonly when: string;
}

/**
 * Throws an AssertionError if another keybinding uses the same keys as ours, or only our first key.
 *
 * @param text VS Code's file of default keybindings, with those of extensions
 */
export function assertNoClash(text: string): void {
  const all = readKeybindings(text);
  const own = all.filter(({ command }) => command.startsWith("inference."));
  const others = all.filter(({ command }) => !command.startsWith("inference."));
  assert.ok(own.length >= 4 && others.length > 500, `${own.length} of ours, ${others.length} of others`);
  for (const { key, command, when } of own) {
    const [first, second] = key.split(" ");
    if (second === undefined) {
      // We use a single key only in our own diff, in our chat, and while a completion is requested.
      assert.match(when, /inference-proposal|inference\.chat|inference\.completing/, `${key} of ${command}`);
      continue;
    }
    assert.ok(
      others.some((other) => other.key.startsWith(`${first} `)),
      `${first} begins other chords`,
    );
    const same = others.filter((other) => other.key === key);
    assert.deepEqual(same, [], `${key} of ${command}`);
    // If the first key has its own command, VS Code never waits for the second key.
    const alone = others.filter((other) => other.key === first && !isElsewhere(when, other.when));
    assert.deepEqual(alone, [], `${first} of ${command}`);
  }
}

/** Whether the conditions of the two keybindings exclude each other, as for a terminal or the debug console. */
function isElsewhere(when: string, otherWhen: string): boolean {
  if (otherWhen === "false") return true;
  if (/editorTextFocus|scmRepository/.test(when)) return /terminal|repl/.test(otherWhen);
  if (/terminalFocus/.test(otherWhen)) return when.includes("!terminalFocus");
  return otherWhen.includes("repl.view") && when.includes("focusedView != 'workbench.panel.repl.view'");
}

/** VS Code generates the file: one object for each keybinding, with its members always in this order. */
function readKeybindings(text: string): readonly Keybinding[] {
  const entries = text.matchAll(
    /"key":\s*"([^"]+)",\s*"command":\s*"([^"]+)"(?:,\s*"when":\s*"((?:[^"\\]|\\.)*)")?/g,
  );
  return [...entries].map(([, key = "", command = "", when = ""]) => ({ key, command, when }));
}
