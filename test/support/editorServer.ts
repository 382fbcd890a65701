import { nextEditorPort } from "./browserCaches.ts";
import type { CodeServer } from "./codeServer.ts";
import type { EditorFolders } from "./editorFolders.ts";
import { startProcessGroup } from "./processGroup.ts";

const readyLimit = 120_000;
const installLimit = 120_000;

export interface EditorServerOptions {
  /** Added to the environment of the extension host; `undefined` removes a variable. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** False by default; true only for tests of Restricted Mode. */
  readonly workspaceTrust?: boolean;
  /**
   * VS Code's driver for tests. The URL of the page may then name an extension to run from its sources.
   * Notifications are not shown.
   */
  readonly driver?: boolean;
  /** The language of the window, such as `de`; its language pack must exist. */
  readonly language?: string;
  readonly log?: "trace";
}

/** VS Code as a page on a free port of the loopback interface. */
export interface EditorServer extends AsyncDisposable {
  readonly pid: number;
  readonly origin: string;
  /** `host:port`, the authority of this server's `vscode-remote` URIs. */
  readonly authority: string;
  /**
   * Returns the URL of the page that opens a folder, a workspace file or neither. `payload` has options of the
   * workbench, as pairs.
   */
  pageAddress(folder: string | undefined, payload?: readonly (readonly [string, string])[]): string;
}

/** Starts VS Code's server and waits until it listens. */
export async function startEditorServer(
  codeServer: CodeServer,
  folders: EditorFolders,
  options: EditorServerOptions = {},
): Promise<EditorServer> {
  const port = String(await nextEditorPort());
  const server = startProcessGroup(
    codeServer.node,
    [
      [codeServer.serverMain, "--host", "127.0.0.1", "--port", port, "--without-connection-token"],
      ["--accept-server-license-terms", "--disable-telemetry"],
      options.log === undefined ? [] : ["--log", options.log],
      options.driver === true ? ["--enable-smoke-test-driver"] : [],
      options.workspaceTrust === true ? [] : ["--disable-workspace-trust"],
      options.language === undefined ? [] : ["--locale", options.language],
      folderArguments(folders),
    ].flat(),
    { environment: editorEnvironment(folders, options.environment) },
  );
  try {
    const bound = await server.waitForOutput(/Server bound to 127\.0\.0\.1:(\d+)/, {
      milliseconds: readyLimit,
    });
    return describeServer(server.pid, `127.0.0.1:${bound[1] ?? ""}`, async () =>
      server[Symbol.asyncDispose](),
    );
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
}

export async function installExtension(
  codeServer: CodeServer,
  folders: EditorFolders,
  packageFile: string,
): Promise<void> {
  const commandArguments = [codeServer.serverMain, "--install-extension", packageFile];
  await using installer = startProcessGroup(
    codeServer.node,
    [...commandArguments, "--accept-server-license-terms", ...folderArguments(folders)],
    { environment: editorEnvironment(folders) },
  );
  await installer.waitForOutput(/was successfully installed/, { milliseconds: installLimit });
  await installer.exited;
}

function describeServer(pid: number, authority: string, dispose: () => Promise<void>): EditorServer {
  const origin = `http://${authority}`;
  return {
    pid,
    origin,
    authority,
    pageAddress(folder, payload) {
      const address = new URL("/", origin);
      if (folder === undefined) address.searchParams.set("ew", "true");
      else address.searchParams.set(folder.endsWith(".code-workspace") ? "workspace" : "folder", folder);
      if (payload !== undefined) address.searchParams.set("payload", JSON.stringify(payload));
      return address.href;
    },
    [Symbol.asyncDispose]: dispose,
  };
}

function folderArguments(folders: EditorFolders): string[] {
  const { serverData, userData, extensions } = folders;
  return ["--server-data-dir", serverData, "--user-data-dir", userData, "--extensions-dir", extensions];
}

/**
 * Returns the environment of an editor that writes only below its own root. Removes variables of an editor that
 * this process runs in.
 */
export function editorEnvironment(
  folders: EditorFolders,
  additions: Readonly<Record<string, string | undefined>> = {},
): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(VSCODE_|ELECTRON_|npm_|NODE_OPTIONS$|XDG_)/i.test(name),
  );
  return {
    ...Object.fromEntries(inherited),
    HOME: folders.home,
    TMPDIR: folders.temporary,
    ...additions,
  };
}
