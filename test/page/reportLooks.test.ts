import assert from "node:assert/strict";
import { buildCheckReport } from "../../src/connection/check/checkReport.ts";
import { type CheckStep, checkStepIds } from "../../src/connection/check/checkSteps.ts";
import { diagnose } from "../../src/connection/diagnosis/diagnosis.ts";
import type { Report } from "../../src/connection/report/report.ts";
import { createTranslate, type Translate } from "../../src/text/translate.ts";
import { reportPages } from "../support/page/reportPages.ts";
import { themeNames } from "../support/page/themes.ts";
import { accessibilityProblems } from "../support/workbench/accessibility.ts";
import { layoutProblems } from "../support/workbench/layoutProblems.ts";
import { readBundle } from "../unit/languages/languages.ts";
import { failed } from "../support/failed.ts";

const ground = "--vscode-editor-background";

/** A check that the service refused, with a word too long for one line. */
function refusedCheck(t: Translate): Report {
  const message = `Incorrect API key provided. ${"See-the-keys-page-".repeat(6)}`;
  const failure = { kind: "refused", status: 401, error: { message }, bodyKind: "json" } as const;
  const diagnosis = diagnose(failed(failure), {}, t);
  const steps = checkStepIds.map((id, index): CheckStep => {
    if (index < 3) return { id, ok: true, ms: 12 };
    if (index > 3) return { id, ok: false, skipped: true, ms: 0 };
    return { id, ok: false, ms: 1234, status: 401, cause: diagnosis.cause, requestId: "req-".repeat(12) };
  });
  return buildCheckReport(
    {
      connection: "Client-with-a-long-name",
      clientStyle: "chat-completions",
      model: "service-core",
      at: new Date("2026-01-02T03:04:05Z"),
      billable: true,
      steps,
      state: { kind: "done", canChat: false, ok: false, diagnosis },
    },
    t,
  );
}

describe("the accessible result page", () => {
  const { open } = reportPages();

  it("has nothing cut, covered or hard to perceive in any theme, wide or at 320 px", async () => {
    const { page, frame, wear } = await open(refusedCheck(createTranslate()));
    await frame.locator("summary").click();
    const found: string[] = [];
    for (const width of [1000, 320]) {
      await page.setViewportSize({ width, height: 800 });
      for (const theme of themeNames) {
        await wear(theme);
        const problems = [...(await layoutProblems(frame)), ...(await accessibilityProblems(frame, ground))];
        found.push(...problems.map((problem) => `${width} px, ${theme}: ${problem}`));
      }
    }
    assert.equal(found.join("\n"), "");
  });

  // German has the longest words, and Japanese has no spaces between words.
  for (const language of ["de", "ja"] as const) {
    it(`is shown in VS Code's language ${language} with nothing cut or covered`, async () => {
      const t = createTranslate(readBundle(language));
      const { page, frame } = await open(refusedCheck(t), { language });
      await page.setViewportSize({ width: 320, height: 800 });
      await frame.getByText(t("The service doesn't accept the API key")).first().waitFor();
      await frame.getByText(t("Request ID"), { exact: true }).first().waitFor({ state: "attached" });
      assert.deepEqual(await layoutProblems(frame), []);
    });
  }
});
