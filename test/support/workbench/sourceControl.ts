import type { Locator, Page } from "playwright-core";

/** The source control view: the boxes for commit messages, and the buttons beside them. */
export class SourceControl {
  private readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async open(): Promise<void> {
    await this.page.keyboard.press("Control+Shift+G");
    await this.box(0).waitFor();
  }

  /** The box of the repository at this place in the list. */
  box(place: number): Locator {
    return this.page.locator(".scm-view .scm-editor").nth(place);
  }

  private button(name: string, repository: string): Locator {
    // The accessible name ends with the keybinding.
    return this.row(repository).getByRole("button", {
      name: new RegExp(`^${name.replaceAll(/[()]/g, String.raw`\$&`)}`),
    });
  }

  /** Moves the mouse to the row first: it shows its buttons only then. */
  async press(name: string, repository: string): Promise<void> {
    await this.row(repository).hover();
    await this.button(name, repository).click();
  }

  async waitForButton(name: string, repository: string): Promise<void> {
    await this.row(repository).hover();
    await this.button(name, repository).waitFor({ state: "attached" });
  }

  private row(repository: string): Locator {
    return this.page.locator(".scm-view .scm-provider").filter({ hasText: repository });
  }

  /** Returns the visible text of the box. Lines wrap there, so each run of whitespace becomes one space. */
  message(place: number): Promise<string> {
    // The box renders a change in the next frame.
    return this.page.evaluate<string>(
      `new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(${linesOf(place)}))))`,
    );
  }

  /** Waits until the text of the box matches. Returns the whole text at that moment: it may change right after. */
  async waitForMessage(pattern: RegExp, place: number): Promise<string> {
    // The expression returns an object: an empty text is falsy, so `waitForFunction` would wait for it forever.
    const box = await this.page.waitForFunction<{ readonly text: string }>(
      `(() => { const text = ${linesOf(place)}; return ${pattern.toString()}.test(text) && { text }; })()`,
    );
    return (await box.jsonValue()).text;
  }

  /** Moves the cursor to the end of the box. */
  async focus(place: number): Promise<void> {
    await this.box(place).locator(".view-lines").click();
    await this.page.keyboard.press("Control+End");
  }
}

/**
 * Returns a JavaScript expression that reads the text of a commit box in the page. The DOM does not keep the lines in
 * order, so the expression sorts them by position.
 */
function linesOf(place: number): string {
  return `[...document.querySelectorAll(".scm-view .scm-editor")[${place}].querySelectorAll(".view-line")]
    .map((line) => ({ top: line.getBoundingClientRect().top, text: line.textContent }))
    .sort((one, other) => one.top - other.top)
    .map(({ text }) => text)
    .join(" ")
    .replaceAll(/\\s+/g, " ")
    .trim()`;
}
