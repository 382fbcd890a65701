import { EventEmitter, once } from "node:events";
import { cp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { runTests } from "@vscode/test-electron";
import { makeCertificates } from "../unit/client/transport/certificates.ts";
import { buildExtension } from "./buildExtension.ts";
import { type CodeServerRelease, provideCodeServer } from "./codeServer.ts";
import { findDesktopEditor } from "./desktopEditor.ts";
import { distinctNumbers } from "./distinctNumbers.ts";
import { createEditorFolders, type EditorFolders } from "./editorFolders.ts";
import { installExtension, startEditorServer } from "./editorServer.ts";
import { sized } from "./figures.ts";
import { bundleHostTests, type HostBundle } from "./hostBundle.ts";
import { writeHostRun } from "./hostRunPlan.ts";
import { LineFollower } from "./lineFollower.ts";
import { outputFolder, projectRoot, sampleWorkspace } from "./paths.ts";
import { timeLimit } from "./plainRun.ts";
import { companionExtension, packageFolder } from "./packageExtension.ts";
import { collectResult, type StageResult } from "./stageResult.ts";
import { openBrowserSession } from "./workbench/browserSession.ts";

/** Minutes; a process answers ten thousand times in the suite of faults. */
const hostLimit = (): number => sized(60, 15);
/** Answers a thousand times, which is left to the night. */
const soak = "soak";
const resultFile = path.join(outputFolder, "host-result.json");
const reportFile = path.join(outputFolder, "host-report.txt");

interface HostRun {
  readonly bundle: HostBundle;
  readonly folders: EditorFolders;
  readonly workspace: string;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Runs the tests of test/host inside the extension host of the desktop editor or of its server.
 * @param release the server to take, whether or not there is a desktop editor
 */
export async function runHost(grep?: string, release?: CodeServerRelease): Promise<StageResult> {
  await buildExtension();
  const bundle = await bundleHostTests(`test/host/${release === undefined ? `!(${soak})` : "*"}.test.ts`);
  await using folders = await createEditorFolders({});
  const workspace = path.join(folders.root, "workspace");
  await cp(sampleWorkspace, workspace, { recursive: true });
  await rm(reportFile, { force: true });
  await writeFile(reportFile, "");
  await using certificates = await makeCertificates();
  const environment = {
    ...writeHostRun({ files: [...bundle.testFiles], resultFile, reportFile, grep }),
    // The store of certificates that this editor takes for its system's: the tests' own authority.
    SSL_CERT_FILE: certificates.authorityFile,
  };
  return await collectResult(resultFile, async () => {
    const run: HostRun = { bundle, folders, workspace, environment };
    using _report = new LineFollower(reportFile, (line) => console.log(line));
    const desktop = release === undefined ? await findDesktopEditor() : undefined;
    if (desktop === undefined) await runInServer(run, release);
    else await runInDesktop(desktop, run);
  });
}

async function runInDesktop(executable: string, run: HostRun): Promise<void> {
  await runTests({
    vscodeExecutablePath: executable,
    extensionDevelopmentPath: [projectRoot, companionExtension],
    extensionTestsPath: run.bundle.entry,
    extensionTestsEnv: run.environment,
    launchArgs: [
      [run.workspace, "--disable-extensions", "--disable-workspace-trust"],
      ["--disable-telemetry", "--skip-welcome"],
      ["--user-data-dir", run.folders.userData, "--extensions-dir", run.folders.extensions],
      process.getuid?.() === 0 ? ["--no-sandbox"] : [],
    ].flat(),
  });
}

/** The page of the editor's server starts the extension host and says when the tests in it have ended. */
async function runInServer(run: HostRun, release?: CodeServerRelease): Promise<void> {
  const codeServer = await provideCodeServer(release);
  const { environment } = run;
  // The editor's server takes one extension from its source; the other one it wants installed.
  await installExtension(codeServer, run.folders, await packageFolder(companionExtension));
  await using server = await startEditorServer(codeServer, run.folders, { environment, driver: true });
  await using context = await openBrowserSession({ profile: run.folders.browser });
  const page = context.pages()[0] ?? (await context.newPage());
  await page.addInitScript(`Math.random = (${distinctNumbers.toString()})(Math.random());`);
  const exit = new EventEmitter();
  await page.exposeFunction("codeAutomationExit", () => exit.emit("exit"));
  const ended = once(exit, "exit");
  const remote = (file: string) => `vscode-remote://${server.authority}${file}`;
  await page.goto(
    server.pageAddress(run.workspace, [
      ["extensionDevelopmentPath", remote(projectRoot)],
      ["extensionTestsPath", remote(run.bundle.entry)],
      ["skipWelcome", "true"],
    ]),
  );
  const abort = new AbortController();
  await Promise.race([ended, timeLimit(hostLimit() * 60_000, abort.signal)]);
  abort.abort();
}
