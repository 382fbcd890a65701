import assert from "node:assert/strict";
import { chatPages } from "../support/page/chatPages.ts";
import { inPage } from "../support/workbench/inPage.ts";

const moves = `() => document.getAnimations().length > 0
  || [...document.querySelectorAll("*")].some((each) => getComputedStyle(each).scrollBehavior === "smooth"
  || parseFloat(getComputedStyle(each).transitionDuration) > 0)`;

describe("motion", () => {
  const { open } = chatPages();

  it("stops if the system or VS Code's setting asks for reduced motion", async () => {
    const { chat, page } = await open({ motion: true });
    const isMoving = (): Promise<boolean> => chat.frame.locator("html").evaluate(inPage<boolean>(moves));
    await chat.send("Hello /pace 60000");
    await chat.frame.getByText("Waiting for the answer").waitFor();
    assert.ok(await isMoving(), "something moves otherwise");
    await page.emulateMedia({ reducedMotion: "reduce" });
    assert.ok(!(await isMoving()));
    await page.emulateMedia({ reducedMotion: "no-preference" });
    assert.ok(await isMoving());
    // The class that VS Code sets for its own setting.
    await chat.frame.locator("body").evaluate("document.body.classList.add('vscode-reduce-motion')");
    assert.ok(!(await isMoving()));
  });
});
