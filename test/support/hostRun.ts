import { EventEmitter, once } from "node:events";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { runTests } from "@vscode/test-electron";
import { makeCertificates } from "../unit/client/transport/certificates.ts";
import { buildExtension } from "./buildExtension.ts";
import { type CodeServer, type CodeServerRelease, provideCodeServer } from "./codeServer.ts";
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
import { runParts } from "./sharedRun.ts";
import { collectResult, type StageResult } from "./stageResult.ts";
import { openBrowserSession } from "./workbench/browserSession.ts";

/** Limit in minutes; longer in the suite of faults, whose tests have larger sizes. */
const hostLimit = (): number => sized(60, 15);
/** A test with many answers; runs only at night and in the suite of faults. */
const soak = "soak";

interface HostRun {
  readonly bundle: HostBundle;
  readonly folders: EditorFolders;
  readonly workspace: string;
  readonly environment: Readonly<Record<string, string>>;
}

interface HostOptions {
  /** Pattern of the titles to run. */
  readonly grep?: string | undefined;
  /** The server to use, even if there is a desktop editor. */
  readonly release?: CodeServerRelease;
  /** Whether the test with many answers runs too. */
  readonly hasSoak?: boolean;
}

/** Runs the tests of test/host inside the extension hosts of desktop editors, or of editors as servers. */
export async function runHost({ grep, release, hasSoak = false }: HostOptions): Promise<StageResult> {
  await buildExtension();
  const bundle = await bundleHostTests(`test/host/${hasSoak ? "*" : `!(${soak})`}.test.ts`);
  const { atOnce, runEditor } = await provideEditor(release);
  const claims = await mkdtemp(path.join(outputFolder, "claims-"));
  await using _removed = { [Symbol.asyncDispose]: () => rm(claims, { recursive: true }) };
  await using certificates = await makeCertificates();
  const runPart = async (part: number): Promise<StageResult> => {
    await using folders = await createEditorFolders({});
    const workspace = path.join(folders.root, "workspace");
    await cp(sampleWorkspace, workspace, { recursive: true });
    const resultFile = path.join(outputFolder, `host-${part}-result.json`);
    const reportFile = path.join(outputFolder, `host-${part}-report.txt`);
    await writeFile(reportFile, "");
    const environment = {
      ...writeHostRun({ files: [...bundle.testFiles], claims, resultFile, reportFile, grep }),
      // This editor uses the tests' own certificate authority as the system's certificate store.
      SSL_CERT_FILE: certificates.authorityFile,
    };
    return await collectResult(resultFile, async () => {
      const run: HostRun = { bundle, folders, workspace, environment };
      using _report = new LineFollower(reportFile, (line) => console.log(`${part}| ${line}`));
      await runEditor(run);
    });
  };
  return await runParts(atOnce, runPart);
}

interface ProvidedEditor {
  /** Number of editors at once: a test mostly waits for its window. */
  readonly atOnce: number;
  readonly runEditor: (run: HostRun) => Promise<void>;
}

/** Provides the desktop editor, or the editor's server. */
async function provideEditor(release?: CodeServerRelease): Promise<ProvidedEditor> {
  const desktop = release === undefined ? await findDesktopEditor() : undefined;
  // Windows of a desktop share its clipboard, which tests write and read. Each server has a browser of its own.
  if (desktop !== undefined) return { atOnce: 1, runEditor: (run) => runInDesktop(desktop, run) };
  const codeServer = await provideCodeServer(release);
  // The editor's server runs only one extension from its source, so the other one must be installed.
  const companion = await packageFolder(companionExtension);
  return { atOnce: 2, runEditor: (run) => runInServer(codeServer, companion, run) };
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

/** Opens the page of the editor's server, which starts the extension host and reports the end of its tests. */
async function runInServer(codeServer: CodeServer, companion: string, run: HostRun): Promise<void> {
  const { environment } = run;
  await installExtension(codeServer, run.folders, companion);
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
