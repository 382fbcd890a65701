import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { type ChatPageOptions, chatPages, type OpenChatPage } from "../support/page/chatPages.ts";
import { formulaAnswers } from "../support/page/formulaAnswers.ts";
import { themeNames } from "../support/page/themes.ts";
import { inPage } from "../support/workbench/inPage.ts";
import { layoutProblems } from "../support/workbench/layoutProblems.ts";
import { copyCode, drawnText } from "../support/workbench/parts.ts";

const answers = (message: string): string | undefined => formulaAnswers[message.split(" ", 1)[0] ?? ""];

const sources = inPage<string[]>(
  `(answer) => [...answer.querySelectorAll("[data-source]:has(> math)")].map((each) => each.dataset.source)`,
);

describe("formulas of an answer", () => {
  const { open } = chatPages();

  async function ask(
    question: string,
    options: ChatPageOptions = {},
  ): Promise<OpenChatPage & { readonly answer: Locator }> {
    const opened = await open({ ...options, answers });
    await opened.chat.send(question);
    const answer = opened.chat.turns("Assistant").first();
    await answer.getByRole("button", { name: "Retry" }).waitFor();
    await drawnText(answer);
    return { ...opened, answer };
  }

  it("are drawn in text, headings, lists, tables and quotes, and nothing is loaded from elsewhere", async () => {
    const { answer, watch } = await ask("formulas");
    for (const place of ["h2", "p", "ul p", "td", "blockquote", "li > .display-formula"])
      await answer.locator(`${place} math`).first().waitFor();
    const { length } = await answer.evaluate(sources);
    assert.equal(length, 14);
    assert.equal(await answer.locator(".display-formula > math[display=block]").count(), 4);
    watch.assertNothingTried();
  });

  it("are drawn with the environments, labels, lines and colors of TeX", async () => {
    const { answer, screenshot, watch } = await ask("environments");
    await answer.locator("math >> nth=3").waitFor();
    assert.equal(await answer.locator(".formula[title]").count(), 0);
    assert.equal(await answer.locator(".formula [id], .formula span").count(), 0);
    await screenshot("formulas-environments");
    watch.assertNothingTried();
  });

  it("stay as they are in code, and in text about money and variables", async () => {
    const { answer } = await ask("formulas");
    await answer.getByText("It costs $5 to $10, and $HOME is not $PATH.").waitFor();
    await answer.locator("code", { hasText: /^\$x\$$/ }).waitFor();
    assert.equal(await answer.locator("code math, pre math").count(), 0);
  });

  it("come from Markdown only, never from the HTML of an answer", async () => {
    const { answer } = await ask("raw");
    await answer.getByText("end").waitFor();
    assert.equal(await answer.locator("math, .formula, [data-source], [data-formula]").count(), 0);
  });

  it("leave a diagram as a code block that can be copied", async () => {
    const { answer, host } = await ask("diagram");
    const copied = host.next("copy");
    await copyCode(answer);
    assert.equal((await copied).text, 'graph TD; A["$$x^2$$"] --> B');
    assert.equal(await answer.locator("pre").count(), 1);
  });

  it("show their source and the reason if they can't be drawn", async () => {
    const { answer } = await ask("formulas");
    await answer.getByTitle(/unknown/).waitFor();
    const bad = answer.locator(".formula[title]");
    assert.deepEqual(await bad.allTextContents(), ["$\\frac{1}{$", "\\(\\unknown{x}\\)"]);
    assert.match((await bad.nth(1).getAttribute("title")) ?? "", /^Can't draw this formula: .*unknown/);
  });

  it("keep lengths up to 20 em in any unit, and lose longer ones", async () => {
    const { answer } = await ask("large");
    const lengths = await answer.evaluate(
      inPage<string[]>(
        `(answer) => [...answer.querySelectorAll("math *")].flatMap(({ attributes }) =>
          [...attributes].map(({ value }) => value).filter((value) => /\\d[a-z]/.test(value)))`,
      ),
    );
    assert.deepEqual(lengths, [
      // The renderer limits some lengths by itself.
      "200pt",
      "20em",
      "padding: 20em 0px 0px;",
      "2cm",
      "3mm",
      "margin-left: -1em;",
      "-2em",
      "padding: 0px 0px 2em;",
      "20em",
      "0.9963pt",
    ]);
    assert.equal(
      await answer
        .locator(".formula")
        .first()
        .evaluate(inPage<string>("(each) => getComputedStyle(each).position")),
      "relative",
    );
  });

  it("show their source until they are complete, and never go back to it", async () => {
    const { chat, service } = await open({ answers });
    service.pace = 30;
    await chat.send("stream");
    const answer = chat.turns("Assistant").first();
    await answer.getByText("\\(a_1").waitFor();
    await answer.locator("math").first().waitFor();
    // Each drawn formula must stay drawn in every frame.
    const lost = await answer.evaluate(
      inPage<Promise<number>>(`async (answer) => {
        let [most, lost] = [0, 0];
        while (answer.querySelector("[aria-busy]") !== null) {
          await new Promise(requestAnimationFrame);
          const { length } = answer.querySelectorAll("math");
          if (length < most) lost += 1;
          most = Math.max(most, length);
        }
        return lost;
      }`),
    );
    assert.equal(lost, 0);
    assert.deepEqual(await answer.evaluate(sources), ["\\(a_1 + b\\)", "$$\nc\n- d\n$$", "$e$"]);
  });

  it("are copied as their source, with the text around them", async () => {
    const { answer, chat, page } = await ask("copied");
    const copy = async (from: string): Promise<string> => {
      await answer
        .locator(from)
        .evaluate(inPage<void>(`(element) => getSelection().selectAllChildren(element)`));
      await page.keyboard.press("ControlOrMeta+C");
      return chat.frame
        .locator("html")
        .evaluate(inPage<Promise<string>>("() => navigator.clipboard.readText()"));
    };
    assert.equal((await copy(".markdown")).trim(), "Let $x^2$ be\n\n$$\n\\frac{a}{b}\n$$\n\nthen \\(y\\).");
    assert.equal(await copy(".formula >> nth=0"), "$x^2$");
  });

  it("scroll by themselves with the keyboard in a page 320 px wide", async () => {
    const { answer, chat, page, screenshot } = await ask("formulas", {
      viewport: { width: 320, height: 900 },
    });
    assert.deepEqual(await layoutProblems(chat.frame), []);
    const wide = answer.getByRole("group", { name: "Formula" });
    await wide.last().scrollIntoViewIfNeeded();
    await screenshot("formulas-narrow");
    await wide.last().focus();
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowRight");
    await wide.last().evaluate(
      inPage<Promise<void>>(`async (box) => {
        while (box.scrollLeft === 0) await new Promise(requestAnimationFrame);
      }`),
    );
    await screenshot("formulas-narrow-scrolled");
  });

  for (const theme of themeNames) {
    it(`look right in the ${theme} theme`, async () => {
      const { answer, screenshot } = await ask("formulas", { theme, viewport: { width: 520, height: 900 } });
      await answer.locator("math").first().scrollIntoViewIfNeeded();
      await screenshot(`formulas-${theme}`);
      const [text, formula] = await answer
        .locator("h2 math")
        .evaluate(
          inPage<string[]>(
            `(math) => [math.parentElement.parentElement, math].map((each) => getComputedStyle(each).color)`,
          ),
        );
      assert.equal(formula, text);
    });
  }

  it("are all drawn if there are many", async () => {
    const { answer } = await ask("many");
    await answer.locator("[data-source]:not(:has(> math))").first().waitFor({ state: "detached" });
    assert.equal(await answer.locator("math").count(), 200);
  });
});
