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
  /** Settings that were written to the folders, to which `updateSettings` adds. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Whether all that goes to and from webviews is recorded. */
  readonly recordMessages: boolean;
  /** See `BrowserSessionOptions`. */
  readonly zoom?: number;
  /** See `BrowserSessionOptions`. */
  readonly motion?: boolean;
}

/** The editor's window, as a person sees it. Also ends the browser it runs in. */
export class Workbench implements AsyncDisposable {
  readonly page: Page;
  readonly palette: CommandPalette;
  readonly quickInput: QuickInput;
  readonly notifications: Notifications;
  readonly dialog: Dialog;
  readonly explorer: Explorer;
  readonly statusBar: StatusBar;
  readonly chat: ChatView;
  /** The chat that was opened as an editor. */
  readonly chatEditor: ChatView;
  /** Everything that went to and from webviews since the start, their HTML included, where it was to be recorded. */
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

  /** Opens the folder in a browser of its own and waits until the extension is known to the editor. */
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

  /** Another window of the same person on the same folder; ends with this one, or when its page is closed. */
  async openWindow(): Promise<Workbench> {
    const page = await this.context.newPage();
    const workbench = new Workbench(this.context, page, this.webviewMessages, this.options);
    await page.goto(this.server.pageAddress(this.options.workspace));
    await workbench.waitUntilReady();
    return workbench;
  }

  /** Moves the editor in front into a window of its own, as a person does. */
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

  /** The page of results that is shown in the editor area, by its title. */
  report(title: string): ReportPage {
    return new ReportPage(this.page, title);
  }

  /** Loads the window again, as `Developer: Reload Window` does. */
  async reload(): Promise<void> {
    const loaded = this.page.waitForEvent("load");
    // The editor's own command, as a person does it: it writes down what it has to keep.
    await this.palette.runTitle("Developer: Reload Window", "workbench.action.reloadWindow");
    await loaded;
    await this.waitUntilReady();
  }

  /** Loads the window's page again, as a browser does: also while the editor asks something. */
  async loadPageAgain(): Promise<void> {
    await this.page.reload();
    await this.waitUntilReady();
  }

  /** Opens another folder, or a workspace file, in the same window; none where there is no name. */
  async openFolder(folder: string | undefined): Promise<void> {
    await this.page.goto(this.server.pageAddress(folder));
    await this.waitUntilReady();
    if (folder?.endsWith(".code-workspace") === true) await this.waitForFolders();
  }

  /**
   * On a busy machine the editor at times opens a workspace's file without its folders, and says that there are
   * none until its window is loaded again; see https://github.com/microsoft/vscode/issues/189138.
   */
  private async waitForFolders(): Promise<void> {
    for (let left = 2; left > 0; left -= 1) {
      await this.explorer.show();
      if (await this.explorer.hasFolders()) return;
      await this.reload();
    }
    await this.explorer.open();
  }

  /** Adds to the person's settings and loads the window again, which then has them. */
  async updateSettings(settings: Readonly<Record<string, unknown>>): Promise<void> {
    this.settings = { ...this.settings, ...settings };
    await this.folders.writeSettings(this.settings);
    await this.reload();
  }

  /** Switches the colour theme as a person does and waits until the window wears it. */
  async setTheme(kind: ThemeKind): Promise<void> {
    const theme = themes[kind];
    await this.palette.runTitle("Preferences: Color Theme", "workbench.action.selectTheme");
    await this.quickInput.waitFor(/theme/i);
    await this.quickInput.fill(theme.name);
    await this.quickInput.pick(theme.name);
    await this.page.locator(`.monaco-workbench.${theme.className}`).waitFor();
  }

  /** Begins a chat in the view that is in front, and waits until its composer has the focus. */
  async beginChat(): Promise<void> {
    await this.palette.run("inference.newChat");
    await this.chat.turns("You").first().waitFor({ state: "detached" });
    await this.chat.frame.locator("textarea:focus").waitFor();
  }

  /** Opens the view's chat in a tab by its command, and waits until its composer has the focus there. */
  async openChatInTab(): Promise<void> {
    await this.palette.run("inference.openChatInEditor");
    await this.chatEditor.find();
    await this.chatEditor.frame.locator("textarea:focus").waitFor();
  }

  /** Exports the chat that was used last to the file that is proposed; gives its path. */
  async exportChat(format: "Markdown" | "JSON"): Promise<string> {
    await this.palette.run("inference.exportChat");
    await this.quickInput.pick(format);
    await this.quickInput.waitFor("Export Chat");
    const proposed = new RegExp(`[^/]+\\.${format === "JSON" ? "json" : "md"}$`);
    // The dialog shows its folder before the name.
    await this.page.waitForFunction(
      `${proposed.toString()}.test(document.querySelector(".quick-input-widget input[type=text]").value)`,
    );
    const { value } = await this.quickInput.read();
    await this.quickInput.accept();
    await this.page.getByRole("tab", { name: path.basename(value), selected: true }).waitFor();
    return value;
  }

  /** Opens a file of the workspace by its name, and puts the caret into it. */
  async openFile(name: string): Promise<void> {
    await this.page.keyboard.press("Control+P");
    await this.quickInput.fill(name);
    await this.quickInput.pick(name);
    await this.page.getByRole("tab", { name, selected: true }).waitFor();
    // The tab is selected before the file is read, and the editor takes the focus behind that.
    await this.fileEditor(name).locator(".view-lines").click();
    await this.waitForFocusIn(name);
  }

  /** Waits until the editor of a file has the focus, which it takes when the file was read. */
  async waitForFocusIn(name: string): Promise<void> {
    await this.fileEditor(name).and(this.page.locator(".focused")).waitFor();
  }

  private fileEditor(name: string): Locator {
    return this.page.locator(`.editor-instance .monaco-editor[data-uri$="/${name}"]`);
  }

  /** Saves what the window shows under the git-ignored folder; gives the file's path. */
  async screenshot(name: string): Promise<string> {
    const file = path.join(screenshotFolder, `${name}.png`);
    await this.page.screenshot({ path: file });
    return file;
  }

  /** Saves what the view shows, and nothing around it. */
  async screenshotView(name: string): Promise<string> {
    const file = path.join(screenshotFolder, `${name}.png`);
    await this.page.locator(".part.sidebar").screenshot({ path: file });
    return file;
  }

  /** Drags the side bar's edge until the page in the view is so wide, in CSS pixels. */
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

  /** HTML of every frame, values of inputs included. */
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
