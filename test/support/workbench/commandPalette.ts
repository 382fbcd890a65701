import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Page } from "playwright-core";
import * as v from "valibot";
import type { CommandId } from "../../../src/contributions.ts";
import { projectRoot } from "../paths.ts";
import type { QuickInput } from "./quickInput.ts";

const manifest = v.object({
  contributes: v.object({
    commands: v.array(v.object({ command: v.string(), title: v.string(), category: v.optional(v.string()) })),
  }),
});

/** Milliseconds until a typed title must be listed, unless the palette has forgotten it. */
const typedTextTimeout = 15_000;

export class CommandPalette {
  private readonly page: Page;
  private readonly quickInput: QuickInput;

  constructor(page: Page, quickInput: QuickInput) {
    this.page = page;
    this.quickInput = quickInput;
  }

  /** Runs a command of the extension by its title in the palette, like a user. */
  async run(command: CommandId): Promise<void> {
    await this.runTitle(await commandTitle(command), command);
  }

  /** Runs any command by its full title, `Category: Title`. `id` distinguishes commands with equal titles. */
  async runTitle(title: string, id?: string): Promise<void> {
    await this.open(title);
    const rows = this.quickInput.root.locator(".quick-input-list .monaco-list-row");
    if (id === undefined) return this.quickInput.pick(title);
    // The oldest editor has no IDs here.
    const hasNoId = { hasNot: this.page.locator("[data-quick-input-id]") };
    const row = rows
      .filter({ has: this.page.locator(`[data-quick-input-id="${id}"]`) })
      .or(this.quickInput.row(title).filter(hasNoId));
    const isListed = await row.waitFor({ timeout: typedTextTimeout }).then(
      () => true,
      () => false,
    );
    // VS Code's own chat takes the focus while it loads. The palette then forgets what was typed.
    if (!isListed) await this.quickInput.fill(`>${title}`);
    await row.click();
  }

  async search(text: string): Promise<string[]> {
    await this.open(text);
    const labels = await this.quickInput.labels();
    await this.quickInput.cancel();
    return labels;
  }

  private async open(search: string): Promise<void> {
    await this.page.evaluate(focusStays);
    // A new webview does not forward keys yet.
    const isInPage = (await this.page.locator("iframe.webview:focus").count()) > 0;
    if (isInPage) {
      await this.page.locator(".command-center .search-label").click();
      await this.quickInput.root.getByPlaceholder(/^Search files by name/).waitFor();
    } else {
      await this.page.keyboard.press("F1");
      await this.quickInput.root.getByPlaceholder("Type the name of a command to run.").waitFor();
    }
    await this.quickInput.fill(`>${search}`);
  }
}

/**
 * Runs in the page: resolves when the focus has not moved for the time of some frames. A closed widget gives the
 * focus back a moment later, which would close a palette that is open by then.
 */
const focusStays = `(async () => {
  let same = 0;
  for (let before; same < 5; before = document.activeElement) {
    await new Promise((resolve) => setTimeout(resolve, 16));
    same = before === document.activeElement ? same + 1 : 0;
  }
})()`;

async function commandTitle(id: CommandId): Promise<string> {
  const text = await readFile(path.join(projectRoot, "package.json"), "utf8");
  const { commands } = v.parse(manifest, JSON.parse(text)).contributes;
  const texts = v.parse(
    v.record(v.string(), v.string()),
    JSON.parse(await readFile(path.join(projectRoot, "package.nls.json"), "utf8")),
  );
  const command = commands.find((each) => each.command === id);
  if (command === undefined) throw new Error(`package.json contributes no command ${id}`);
  const title = command.title.replace(/^%(.+)%$/, (whole, key: string) => texts[key] ?? whole);
  return command.category === undefined ? title : `${command.category}: ${title}`;
}
