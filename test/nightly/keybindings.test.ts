import path from "node:path";
import { assertNoClash } from "../support/keybindings.ts";
import { openBrowserSession } from "../support/workbench/browserSession.ts";
import { readClipboard } from "../support/workbench/clipboard.ts";
import { CommandPalette } from "../support/workbench/commandPalette.ts";
import { QuickInput } from "../support/workbench/quickInput.ts";
import { withEditor } from "../support/withEditor.ts";

const chromium = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

/** VS Code reads the system from the browser's user agent. The host tests cover the system that they run on. */
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

describe("keybindings on other systems, in VS Code's list", () => {
  const editor = withEditor({ settings: { "editor.largeFileOptimizations": false } });

  /** Reads every binding of VS Code and its extensions for that system. */
  async function readDefaults({ name, userAgent, modifier }: System): Promise<string> {
    await using context = await openBrowserSession({
      profile: path.join(editor.folders.root, `browser-${name}`),
      userAgent,
    });
    const page = context.pages()[0] ?? (await context.newPage());
    await page.goto(editor.server.pageAddress(editor.workspace));
    // When the icon is shown, the contributions of extensions are loaded, bindings included.
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
    // The browser runs on Linux, whatever its user agent says, and copies with Linux keys.
    await page.keyboard.press("Control+C");
    return await readClipboard(page, "//");
  }

  for (const system of systems) {
    it(`conflict with none of VS Code's on ${system.name}`, async () => {
      assertNoClash(await readDefaults(system));
    });
  }
});
