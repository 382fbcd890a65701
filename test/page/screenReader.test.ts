import assert from "node:assert/strict";
import { chatPages } from "../support/page/chatPages.ts";
import { focusedName } from "../support/page/focusWalk.ts";
import { inPage } from "../support/workbench/inPage.ts";
import { heard, listen } from "../support/workbench/spoken.ts";

const slowAnswer =
  "The first sentence is about 3.14 things. Is the second one a question? يعمل هذا؟ نعم.\n\nThe last one ends here.";

describe("the screen reader", () => {
  const { open } = chatPages();

  it("reads an answer sentence by sentence, and says when it is complete", async () => {
    const { chat, service } = await open({ answers: () => slowAnswer });
    await listen(chat);
    service.pace = 20;
    await chat.send("Say it slowly");
    await chat.usage.first().waitFor();
    const spoken = await heard(chat, /Answer complete/);
    assert.equal(spoken.join(" "), `${slowAnswer.replaceAll("\n\n", " ")} Answer complete`);
    for (const text of spoken) assert.match(text, /[.?؟]$|complete$/, text);
    assert.equal(await chat.transcript.getAttribute("aria-live"), "off");
    assert.equal(await chat.frame.locator("[aria-live=polite]").count(), 1, "one voice");
  });

  it("reads an answer in a new chat, even if the user left the previous chat while code streamed", async () => {
    const code = `\`\`\`js\n${"let a = 1;\n".repeat(2000)}\`\`\`\n`;
    const answers = (message: string): string => (message.startsWith("code") ? code : "This is heard.\n");
    const { chat, host } = await open({ answers });
    await chat.send("code /pace 20");
    await chat.turns("Assistant").getByText("let a = 1;").first().waitFor();
    host.newChat();
    await chat.turns("You").first().waitFor({ state: "detached" });
    await listen(chat);
    await chat.send("speak");
    await heard(chat, /This is heard\./);
  });

  it("reads the alert of a failure, and says that an answer was stopped", async () => {
    const opened = await open();
    const { chat, host, page, service } = opened;
    service.failNext({ status: 401 });
    await chat.send("Hello");
    await chat.alert().waitFor();
    const { title, hidden, live } = await chat.alert().evaluate(
      inPage<{ title: string; hidden: boolean; live: string }>(`(alert) => ({
        title: alert.querySelector("strong").textContent,
        hidden: alert.closest("[aria-hidden=true], [aria-busy=true]") !== null,
        live: alert.getAttribute("aria-live") ?? "",
      })`),
    );
    assert.ok(title !== "" && !hidden && live === "");
    host.newChat();
    await chat.turns("You").first().waitFor({ state: "detached" });
    await listen(chat);
    await chat.send("Hello /long 4000 /pace 50");
    await chat.turns("Assistant").first().getByText(/\w+/).first().waitFor();
    await page.keyboard.press("Escape");
    await heard(chat, /Stopped\./);
    assert.equal(await focusedName(opened), "textbox Message", "Escape stops, and the focus stays");
  });

  it("alerts to new failures, but not to failures from before the page was shown", async () => {
    const { chat, page } = await open();
    await chat.send("Tell me more /long 300 /pace 5 /cut");
    await chat.alert("interrupted").waitFor();
    await page.reload();
    const failure = chat.failure("interrupted");
    await failure.waitFor();
    assert.equal(await chat.alert().count(), 0);
    assert.equal(await failure.getAttribute("role"), "group");
    assert.equal(await failure.getAttribute("aria-label"), await failure.locator("strong").textContent());
    await failure.getByRole("button", { name: "Retry" }).click();
    await chat.alert("interrupted").waitFor();
  });
});
