import assert from "node:assert/strict";
import { chatPages } from "../support/page/chatPages.ts";
import { themeNames } from "../support/page/themes.ts";
import { layoutProblems } from "../support/workbench/layoutProblems.ts";
import { heard, listen } from "../support/workbench/spoken.ts";
import { soon } from "../unit/service/fixture.ts";

const overloaded = {
  status: 529,
  headers: { "retry-after": "50" },
  body: { error: { type: "overloaded_error", message: "Overloaded" } },
};

describe("the wait for a retry", () => {
  const { open } = chatPages();

  it("counts down to two retries of an overloaded service, and then shows the answer", async () => {
    const { chat, host, page, service, screenshot } = await open();
    await page.clock.install();
    await listen(chat);
    service.failNext({ ...overloaded, times: 2 });
    await chat.send("Hello");
    const notice = chat.retryNotice.getByText("(2 of 3)");
    const before = await notice.innerText();
    assert.match(before, /^The service is overloaded\. Trying again in \d+ s \(2 of 3\)$/);
    for (let second = 0; second < 5; second += 1) await page.clock.runFor(1000);
    await notice.filter({ hasNotText: before }).waitFor();
    await screenshot("retry-countdown");
    host.chat.session.retryNow();
    await chat.retryNotice.getByText("(3 of 3)").waitFor();
    host.chat.session.retryNow();
    await chat.usage.first().waitFor();
    const said = (await heard(chat, /\(3 of 3\)/)).filter((text) => text.includes("Trying again"));
    // Announced once per wait, not every second.
    assert.deepEqual(
      said,
      [2, 3].map((at) => `The service is overloaded. Trying again in 50 s (${at} of 3)`),
    );
    assert.equal(await chat.retryNotice.count(), 0);
    assert.equal(await chat.alert().count(), 0);
    assert.equal(service.journal.answers.length, 3);
  });

  it("ends on Retry Now, with the focus in the composer", async () => {
    const { chat, service } = await open();
    service.failNext(overloaded);
    await chat.send("Hello");
    await chat.retryNotice.getByRole("button", { name: "Retry Now" }).click();
    await chat.usage.first().waitFor();
    assert.equal(service.journal.answers.length, 2);
    await chat.frame.locator("textarea:focus").waitFor();
  });

  it("moves the focus to the composer if it ends while a button has the focus", async () => {
    const { chat, host, service } = await open();
    service.failNext(overloaded);
    await chat.send("Hello");
    await chat.retryNotice.getByRole("button", { name: "Retry Now" }).focus();
    await chat.retryNotice.locator("button:focus").waitFor();
    host.chat.session.retryNow();
    await chat.usage.first().waitFor();
    assert.equal(service.journal.answers.length, 2);
    await chat.frame.locator("textarea:focus").waitFor();
  });

  it("ends on Stop, with the failure and its actions", async () => {
    const { chat, service, screenshot } = await open();
    service.failNext(overloaded);
    await chat.send("Hello");
    await chat.retryNotice.getByRole("button", { name: "Stop" }).click();
    await chat.alert("overloaded").waitFor();
    assert.equal(await chat.retryNotice.count(), 0);
    assert.equal(service.journal.answers.length, 1);
    await screenshot("retry-stopped");
    await chat.alert("overloaded").getByRole("button", { name: "Retry" }).click();
    await chat.usage.first().waitFor();
  });

  it("is only reported, not waited for, if it is too long", async () => {
    const { chat, service, screenshot } = await open();
    service.failNext({ status: 429, headers: { "retry-after": "720" } });
    await chat.send("Hello");
    const alert = chat.alert("rate-limited");
    await alert.getByText("Try again in 12 minutes.").first().waitFor();
    await screenshot("retry-long-wait");
  });

  it("is legible in every theme", async () => {
    const { chat, service, wear, screenshot } = await open();
    service.failNext(overloaded);
    await chat.send("Hello");
    await chat.retryNotice.waitFor();
    for (const theme of themeNames) {
      await wear(theme);
      await screenshot(`retry-${theme}`);
      assert.deepEqual(await layoutProblems(chat.frame), []);
    }
  });
});

describe("silence of the service", () => {
  const { open } = chatPages();
  /** In seconds; shorter than the service's pause between two words. */
  const stallSeconds = 0.2;

  it("is reported, extended by Wait, and no longer shown when data arrives", async () => {
    const { chat, service, screenshot } = await open({ stallSeconds });
    await chat.send("Hello /long 60 /pace 60000");
    await chat.silenceNotice.getByText("No data received for 0.2 s.").waitFor();
    await chat.silenceNotice.getByRole("button", { name: "Wait" }).click();
    await chat.silenceNotice.getByText("No data received for 0.4 s.").waitFor();
    await screenshot("silence");
    service.hurry();
    await chat.turns("Assistant").first().getByText(/\w+/).first().waitFor();
    await chat.silenceNotice.waitFor({ state: "detached" });
    await chat.usage.first().waitFor();
    assert.equal(await chat.alert().count(), 0);
  });

  it("is reported even within an answer, and ended by Stop", async () => {
    const { chat, screenshot } = await open({ stallSeconds });
    await chat.send("Hello /long 60 /pace 1000");
    const answer = chat.turns("Assistant").first();
    await answer.locator(".markdown").getByText(/\w+/).first().waitFor();
    await chat.silenceNotice.getByText("No data received for 0.2 s.").waitFor();
    await screenshot("silence-in-text");
    assert.equal(await chat.alert().count(), 0);
    await chat.silenceNotice.getByRole("button", { name: "Stop" }).click();
    await answer.getByText("Stopped.").waitFor();
    assert.equal(await chat.silenceNotice.count(), 0);
  });

  it("ends on Retry, and its answer stays as a version", async () => {
    const { chat, service } = await open({ stallSeconds });
    service.pace = 60_000;
    await chat.send("Hello");
    await chat.silenceNotice.waitFor();
    service.pace = 0;
    await chat.silenceNotice.getByRole("button", { name: "Retry" }).click();
    await service.journal.next(({ state }) => state === "aborted", soon());
    await chat.usage.first().waitFor();
    await chat.frame.getByText("2 / 2").waitFor();
  });
});
