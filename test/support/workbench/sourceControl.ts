import type { Locator, Page } from "playwright-core";

/** The source control view: its repositories' boxes for commit messages, and the buttons beside them. */
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

  /** The button in the row of a repository. */
  private button(name: string, repository: string): Locator {
    // The name goes on with the keys.
    return this.row(repository).getByRole("button", {
      name: new RegExp(`^${name.replaceAll(/[()]/g, String.raw`\$&`)}`),
    });
  }

  /** Buttons of rows come with the pointer. */
  async press(name: string, repository: string): Promise<void> {
    await this.row(repository).hover();
    await this.button(name, repository).click();
  }

  /** Waits until the row of a repository has the button. */
  async waitForButton(name: string, repository: string): Promise<void> {
    await this.row(repository).hover();
    await this.button(name, repository).waitFor({ state: "attached" });
  }

  private row(repository: string): Locator {
    return this.page.locator(".scm-view .scm-provider").filter({ hasText: repository });
  }

  /** What stands in the box, as far as it is drawn; lines wrap there, so each run of blanks is one. */
  message(place: number): Promise<string> {
    // It is drawn in the frame behind a change.
    return this.page.evaluate<string>(
      `new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(${linesOf(place)}))))`,
    );
  }

  /** Waits until the box holds what the pattern says; gives all that it held then, which may change at once. */
  async waitForMessage(pattern: RegExp, place: number): Promise<string> {
    // In an object, since an empty text would count as one that has not come.
    const box = await this.page.waitForFunction<{ readonly text: string }>(
      `(() => { const text = ${linesOf(place)}; return ${pattern.toString()}.test(text) && { text }; })()`,
    );
    return (await box.jsonValue()).text;
  }

  /** Puts the caret at the end of the box. */
  async focus(place: number): Promise<void> {
    await this.box(place).locator(".view-lines").click();
    await this.page.keyboard.press("Control+End");
  }
}

/** Lines are drawn in any order; where they stand tells it. Runs in the page. */
function linesOf(place: number): string {
  return `[...document.querySelectorAll(".scm-view .scm-editor")[${place}].querySelectorAll(".view-line")]
    .map((line) => ({ top: line.getBoundingClientRect().top, text: line.textContent }))
    .sort((one, other) => one.top - other.top)
    .map(({ text }) => text)
    .join(" ")
    .replaceAll(/\\s+/g, " ")
    .trim()`;
}
