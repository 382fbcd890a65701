import type { Workbench } from "./workbench.ts";

/** Prints a word in a new terminal, and selects everything in that terminal. */
export async function selectInTerminal(
  { page, palette }: Pick<Workbench, "page" | "palette">,
  word: string,
): Promise<void> {
  await palette.runTitle("Terminal: Create New Terminal");
  const terminal = page.locator(".terminal-wrapper");
  await terminal.locator(".xterm-helper-textarea:focus").waitFor({ state: "attached" });
  await page.keyboard.type(`echo ${word}\n`);
  await terminal.getByText(new RegExp(`^${word}`)).waitFor();
  await palette.runTitle("Terminal: Select All");
}
