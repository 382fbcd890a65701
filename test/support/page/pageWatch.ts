import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { hostileHost } from "./hostileAnswers.ts";

/** Also said of a document that is only parsed, to be cleaned; that nothing of it is in the page is asserted. */
const fromParser = /^(Executing inline event handler|Applying inline style) violates/;

/** What a window asks for, forbids and says by dialogs while hostile answers are shown in it. */
export class PageWatch {
  readonly #requests: string[] = [];
  readonly #violations: string[] = [];
  readonly #dialogs: string[] = [];

  constructor(page: Page) {
    page.context().on("request", (request) => this.#requests.push(request.url()));
    page.on("console", (message) => {
      const text = message.text();
      if (/Content Security Policy|hostile/i.test(text) && !fromParser.test(text))
        this.#violations.push(text);
    });
    page.on("dialog", (dialog) => {
      this.#dialogs.push(dialog.message());
      void dialog.dismiss();
    });
  }

  /** Nothing of an answer has asked for anything, so that there was nothing to forbid. */
  assertNothingTried(): void {
    assert.deepEqual(this.#dialogs, []);
    assert.deepEqual(this.#violations, []);
    const asked = this.#requests.filter((url) => url.includes(hostileHost) || url.includes("/etc/"));
    assert.deepEqual(asked, []);
  }
}
