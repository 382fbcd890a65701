import assert from "node:assert/strict";
import path from "node:path";
import { openEditor, type Editor } from "../support/endToEnd.ts";
import { openBrowserSession } from "../support/workbench/browserSession.ts";
import { readClipboard } from "../support/workbench/clipboard.ts";
import { CommandPalette } from "../support/workbench/commandPalette.ts";
import { QuickInput } from "../support/workbench/quickInput.ts";

interface Keybinding {
  readonly key: string;
  readonly command: string;
  readonly when: string;
}

const chromium = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

/** The editor tells the system by the browser's own word for it. */
const systems = [
  { name: "Linux", userAgent: `Mozilla/5.0 (X11; Linux x86_64) ${chromium}`, modifier: "Control" },
  {
    name: "Windows",
    userAgent: `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chromium}`,
    modifier: "Control",
  },
  {
    name: "macOS",
    userAgent: `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${chromium}`,
    modifier: "Meta",
  },
] as const;

type System = (typeof systems)[number];

describe("keybindings, in the list of a real editor", () => {
  let editor: Editor;

  before(async () => {
    editor = await openEditor({ settings: { "editor.largeFileOptimizations": false } });
  });
  after(() => editor[Symbol.asyncDispose]());

  /** Every binding of the editor and of its extensions, as it would be on that system. */
  async function readDefaults({ name, userAgent, modifier }: System): Promise<readonly Keybinding[]> {
    await using context = await openBrowserSession({
      profile: path.join(editor.folders.root, `browser-${name}`),
      userAgent,
    });
    const page = context.pages()[0] ?? (await context.newPage());
    await page.goto(editor.server.pageAddress(editor.workspace));
    // What extensions contribute is there, bindings included.
    await page.locator(".activitybar").getByLabel("Inference Chat").first().waitFor();
    const palette = new CommandPalette(page, new QuickInput(page));
    await palette.runTitle(
      "Preferences: Open Default Keyboard Shortcuts (JSON)",
      "workbench.action.openDefaultKeybindingsFile",
    );
    await page
      .locator(".editor-instance .monaco-editor .view-line")
      .filter({ hasText: "key" })
      .first()
      .click();
    await page.keyboard.press(`${modifier}+A`);
    // The browser is on Linux whatever it says, and copies by its own keys.
    await page.keyboard.press("Control+C");
    return readKeybindings(await readClipboard(page, "//"));
  }

  for (const system of systems) {
    it(`clash with none of the editor's on ${system.name}`, async () => {
      const all = await readDefaults(system);
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
    });
  }
});

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
