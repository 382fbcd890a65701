import path from "node:path";
import type { BrowserContext, Locator, Page } from "playwright-core";
import type { EditorFolders } from "../editorFolders.ts";
import type { EditorServer } from "../editorServer.ts";
import { screenshotFolder } from "../paths.ts";
import { openBrowserSession } from "./browserSession.ts";
import { ChatView } from "./chatView.ts";
import { CommandPalette } from "./commandPalette.ts";
import { Dialog } from "./dialog.ts";
import { Explorer } from "./explorer.ts";
import { recordWebviewMessages, type RecordedMessage } from "./messageRecorder.ts";
import { Notifications } from "./notifications.ts";
import { QuickInput } from "./quickInput.ts";
import { ReportPage } from "./reportPage.ts";
import { StatusBar } from "./statusBar.ts";

export type ThemeKind = "light" | "dark" | "high-contrast-light" | "high-contrast-dark";

const themes: Readonly<Record<ThemeKind, { readonly name: string; readonly className: string }>> = {
  light: { name: "Light 2026", className: "vs" },
  dark: { name: "Dark 2026", className: "vs-dark" },
  "high-contrast-light": { name: "Light High Contrast", className: "hc-light" },
  "high-contrast-dark": { name: "Dark High Contrast", className: "hc-black" },
};

export interface WorkbenchOptions {
  readonly server: EditorServer;
  readonly folders: EditorFolders;
  /** Absolute path of the folder to open. */
  readonly workspace: string;
  /** Settings that the folders already have; `updateSettings` adds to them. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Whether to record all messages to and from webviews. */
  readonly recordMessages: boolean;
  /** See `BrowserSessionOptions`. */
  readonly zoom?: number;
  /** See `BrowserSessionOptions`. */
  readonly motion?: boolean;
}

/** The editor's window as a user sees it. Disposing also ends its browser. */
export class Workbench implements AsyncDisposable {
  readonly page: Page;
  readonly palette: CommandPalette;
  readonly quickInput: QuickInput;
  readonly notifications: Notifications;
  readonly dialog: Dialog;
  readonly explorer: Explorer;
  readonly statusBar: StatusBar;
  readonly chat: ChatView;
  /** The chat in an editor tab. */
  readonly chatEditor: ChatView;
  /** All messages to and from webviews since the start, including their HTML; undefined unless recorded. */
  readonly webviewMessages: readonly RecordedMessage[] | undefined;
  private readonly context: BrowserContext;
  private readonly options: WorkbenchOptions;
  private readonly folders: EditorFolders;
  private readonly server: EditorServer;
  private settings: Readonly<Record<string, unknown>>;

  private constructor(
    context: BrowserContext,
    page: Page,
    messages: readonly RecordedMessage[] | undefined,
    options: WorkbenchOptions,
  ) {
    this.context = context;
    this.options = options;
    this.page = page;
    this.webviewMessages = messages;
    this.folders = options.folders;
    this.server = options.server;
    this.settings = options.settings ?? {};
    this.quickInput = new QuickInput(page);
    this.palette = new CommandPalette(page, this.quickInput);
    this.notifications = new Notifications(page, this.palette);
    this.dialog = new Dialog(page);
    this.explorer = new Explorer(page, this.palette);
    this.statusBar = new StatusBar(page);
    this.chat = new ChatView(page);
    this.chatEditor = new ChatView(page, "editor");
  }

  /** Opens the folder in a new browser, and waits until VS Code has found the extension. */
  static async open(options: WorkbenchOptions): Promise<Workbench> {
    const context = await openBrowserSession({
      profile: options.folders.browser,
      ...(options.viewport === undefined ? {} : { viewport: options.viewport }),
      ...(options.zoom === undefined ? {} : { zoom: options.zoom }),
      motion: options.motion === true,
    });
    try {
      const messages = options.recordMessages ? await recordWebviewMessages(context) : undefined;
      const page = context.pages()[0] ?? (await context.newPage());
      const workbench = new Workbench(context, page, messages, options);
      await page.goto(options.server.pageAddress(options.workspace));
      await workbench.waitUntilReady();
      return workbench;
    } catch (error) {
      await context.close();
      throw error;
    }
  }

  /**
   * Opens another window of the same user on the same folder. The new window ends with this window, or when its page
   * is closed.
   */
  async openWindow(): Promise<Workbench> {
    const page = await this.context.newPage();
    const workbench = new Workbench(this.context, page, this.webviewMessages, this.options);
    await page.goto(this.server.pageAddress(this.options.workspace));
    await workbench.waitUntilReady();
    return workbench;
  }

  /** Moves the active editor tab with the chat into a new window, like a user. */
  async floatChat(): Promise<{ readonly page: Page; readonly chat: ChatView }> {
    const opened = this.context.waitForEvent("page");
    await this.palette.runTitle(
      "View: Move Editor into New Window",
      "workbench.action.moveEditorToNewWindow",
    );
    const page = await opened;
    const chat = new ChatView(page, "editor");
    await chat.find();
    await chat.composer.waitFor();
    return { page, chat };
  }

  /** Returns the page of results with this title in the editor area. */
  report(title: string): ReportPage {
    return new ReportPage(this.page, title);
  }

  /** Reloads the window with `Developer: Reload Window`. */
  async reload(): Promise<void> {
    const loaded = this.page.waitForEvent("load");
    // Uses VS Code's own command, like a user: it saves the state of the window first.
    await this.palette.runTitle("Developer: Reload Window", "workbench.action.reloadWindow");
    await loaded;
    await this.waitUntilReady();
  }

  /** Reloads the page of the window, like a browser; works even while the editor shows a prompt. */
  async loadPageAgain(): Promise<void> {
    await this.page.reload();
    await this.waitUntilReady();
  }

  /** Opens another folder or a workspace file in the same window; `undefined` opens none. */
  async openFolder(folder: string | undefined): Promise<void> {
    await this.page.goto(this.server.pageAddress(folder));
    await this.waitUntilReady();
    if (folder?.endsWith(".code-workspace") === true) await this.waitForFolders();
  }

  /**
   * Waits for the folders of a workspace file, and reloads the window if they are missing. On a busy machine, VS Code
   * sometimes opens the file without them; see https://github.com/microsoft/vscode/issues/189138.
   */
  private async waitForFolders(): Promise<void> {
    for (let left = 2; left > 0; left -= 1) {
      await this.explorer.show();
      if (await this.explorer.hasFolders()) return;
      await this.reload();
    }
    await this.explorer.open();
  }

  /** Adds to the user settings, and reloads the window to apply them. */
  async updateSettings(settings: Readonly<Record<string, unknown>>): Promise<void> {
    this.settings = { ...this.settings, ...settings };
    await this.folders.writeSettings(this.settings);
    await this.reload();
  }

  /** Switches the color theme like a user, and waits until the window has it. */
  async setTheme(kind: ThemeKind): Promise<void> {
    const theme = themes[kind];
    await this.palette.runTitle("Preferences: Color Theme", "workbench.action.selectTheme");
    await this.quickInput.waitFor(/theme/i);
    await this.quickInput.fill(theme.name);
    await this.quickInput.pick(theme.name);
    await this.page.locator(`.monaco-workbench.${theme.className}`).waitFor();
  }

  /** Begins a chat in the visible view, and waits until its composer has the focus. */
  async beginChat(): Promise<void> {
    await this.palette.run("inference.newChat");
    await this.chat.turns("You").first().waitFor({ state: "detached" });
    await this.chat.frame.locator("textarea:focus").waitFor();
  }

  /** Opens the view's chat in a tab, and waits until its composer has the focus there. */
  async openChatInTab(): Promise<void> {
    await this.palette.run("inference.openChatInEditor");
    await this.chatEditor.find();
    await this.chatEditor.frame.locator("textarea:focus").waitFor();
  }

  /** Exports the most recently used chat to the proposed file; returns its path. */
  async exportChat(format: "Markdown" | "JSON"): Promise<string> {
    await this.palette.run("inference.exportChat");
    await this.quickInput.pick(format);
    await this.quickInput.waitFor("Export Chat");
    const proposed = new RegExp(`[^/]+\\.${format === "JSON" ? "json" : "md"}$`);
    // The dialog shows its folder before it adds the name.
    await this.page.waitForFunction(
      `${proposed.toString()}.test(document.querySelector(".quick-input-widget input[type=text]").value)`,
    );
    const { value } = await this.quickInput.read();
    await this.quickInput.accept();
    await this.page.getByRole("tab", { name: path.basename(value), selected: true }).waitFor();
    return value;
  }

  /** Opens a file of the workspace by its name, and puts the cursor into it. */
  async openFile(name: string): Promise<void> {
    await this.page.keyboard.press("Control+P");
    await this.quickInput.fill(name);
    await this.quickInput.pick(name);
    await this.page.getByRole("tab", { name, selected: true }).waitFor();
    // The tab is selected before the file is read; VS Code moves the focus only after that.
    await this.fileEditor(name).locator(".view-lines").click();
    await this.waitForFocusIn(name);
  }

  /** Waits until the editor of a file has the focus, which it gets when the file has been read. */
  async waitForFocusIn(name: string): Promise<void> {
    await this.fileEditor(name).and(this.page.locator(".focused")).waitFor();
  }

  private fileEditor(name: string): Locator {
    return this.page.locator(`.editor-instance .monaco-editor[data-uri$="/${name}"]`);
  }

  /** Saves a screenshot of the window in the git-ignored folder; returns the path of the file. */
  async screenshot(name: string): Promise<string> {
    const file = path.join(screenshotFolder, `${name}.png`);
    await this.page.screenshot({ path: file });
    return file;
  }

  /** Saves a screenshot of the side bar only. */
  async screenshotView(name: string): Promise<string> {
    const file = path.join(screenshotFolder, `${name}.png`);
    await this.page.locator(".part.sidebar").screenshot({ path: file });
    return file;
  }

  /** Drags the edge of the side bar until the page in the view has this width, in CSS pixels. */
  async setViewWidth(width: number): Promise<void> {
    const sideBar = this.page.locator(".part.sidebar");
    const box = await sideBar.boundingBox();
    const shown = await this.chat.frame.locator("html").evaluate<number, unknown>("innerWidth");
    if (box === null || shown === width) return;
    const [edge, middle] = [box.x + box.width, box.y + box.height / 2];
    await this.page.mouse.move(edge, middle);
    await this.page.mouse.down();
    await this.page.mouse.move(edge + width - shown, middle, { steps: 4 });
    await this.page.mouse.up();
    while ((await this.chat.frame.locator("html").evaluate<number, unknown>("innerWidth")) !== width) {
      await this.page.evaluate("new Promise(requestAnimationFrame)");
    }
  }

  /** Returns the HTML of every frame, and the values of its inputs. */
  async documents(): Promise<string[]> {
    const documents: string[] = [];
    for (const frame of this.page.frames()) {
      if (frame.isDetached()) continue;
      const inputs = await frame.locator("input, textarea").all();
      const values = await Promise.all(inputs.map((input) => input.inputValue()));
      documents.push([await frame.content(), ...values].join("\n"));
    }
    return documents;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.context.close();
  }

  private async waitUntilReady(): Promise<void> {
    await this.page.locator(".monaco-workbench .part.statusbar").waitFor();
    await this.chat.tab.waitFor();
  }
}
