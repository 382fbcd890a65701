import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { hostileHost } from "./hostileAnswers.ts";

/**
 * Chromium also logs these messages for a document that is only parsed for sanitizing. Other assertions check the page
 * itself.
 */
const fromParser = /^(Executing inline event handler|Applying inline style) violates/;

/** Records requests, policy violations and dialogs of a window that shows hostile answers. */
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

  /**
   * Asserts that no answer opened a dialog, violated the policy, or requested something from the hostile host or
   * `/etc/`.
   */
  assertNothingTried(): void {
    assert.deepEqual(this.#dialogs, []);
    assert.deepEqual(this.#violations, []);
    const asked = this.#requests.filter((url) => url.includes(hostileHost) || url.includes("/etc/"));
    assert.deepEqual(asked, []);
  }
}
