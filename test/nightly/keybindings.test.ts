import path from "node:path";
import { assertNoClash } from "../support/keybindings.ts";
import { openBrowserSession } from "../support/workbench/browserSession.ts";
import { readClipboard } from "../support/workbench/clipboard.ts";
import { CommandPalette } from "../support/workbench/commandPalette.ts";
import { QuickInput } from "../support/workbench/quickInput.ts";
import { withEditor } from "../support/withEditor.ts";

const chromium = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

/** The editor tells the system by the browser's own word for it. That of the tests is left to the host tests. */
const systems = [
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

describe("keybindings on other systems, in the list of a real editor", () => {
  const editor = withEditor({ settings: { "editor.largeFileOptimizations": false } });

  /** Every binding of the editor and of its extensions, as it would be on that system. */
  async function readDefaults({ name, userAgent, modifier }: System): Promise<string> {
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
    return await readClipboard(page, "//");
  }

  for (const system of systems) {
    it(`clash with none of the editor's on ${system.name}`, async () => {
      assertNoClash(await readDefaults(system));
    });
  }
});
