import assert from "node:assert/strict";
import * as vscode from "vscode";
import { isOverWithin } from "../../src/editor/shared/abort.ts";
import { rowOf, watchRows } from "./handledList.ts";

/** An input that VS Code shows: a box, a list or a file dialog. */
export interface ShownInput {
  readonly kind: "box" | "list" | "file";
  /** Title, prompt and placeholder, one per line. */
  readonly question: string;
  /** The initial text of a box. */
  readonly value: string;
  readonly isPassword: boolean;
  /** Rows of a list: label, description and detail, joined by ` · `. */
  readonly rows: readonly string[];
}

/** Presses a button of a row. The list stays open and is answered again. */
interface RowButton {
  readonly row: string;
  readonly button: string;
}

/** Presses a button in the title of a box, after typing a text. */
interface BoxButton {
  readonly boxButton: string;
  readonly typed?: string;
}

/** Accepts a list as it is. */
export const asItIs = Symbol("as it is");

/**
 * Box: the text to type. List: a text in the row to pick, or an array with one such text for each row to tick. File
 * dialog: the file. `undefined` presses Escape.
 */
type GivenAnswer =
  | string
  | readonly string[]
  | vscode.Uri
  | RowButton
  | BoxButton
  | typeof asItIs
  | undefined;

/** The answer, or a function that returns it. The function is called while the input is open. */
export type InputAnswer = GivenAnswer | (() => Promise<GivenAnswer>);

/** A part of the question, and the answer. */
export type ExpectedInput = readonly [question: string | RegExp, answer: InputAnswer];

/** Maximum milliseconds until a search changes the list. */
const longestSearch = 10_000;
const accept = "workbench.action.acceptSelectedQuickOpenItem";

/** VS Code's own functions, read before any test replaces them. */
const editorsOwn = {
  showQuickPick: vscode.window.showQuickPick,
  showInputBox: vscode.window.showInputBox,
  showOpenDialog: vscode.window.showOpenDialog,
  showSaveDialog: vscode.window.showSaveDialog,
  createQuickPick: vscode.window.createQuickPick,
  createInputBox: vscode.window.createInputBox,
};

/**
 * Answers boxes, lists and file dialogs in the given order, in place of a user, and records what they showed.
 * Lists from `createQuickPick` stay VS Code's own and are answered by its commands.
 */
export class AnsweredInputs {
  readonly all: ShownInput[] = [];
  /** Messages of boxes about texts that they refused. */
  readonly refusals: string[] = [];
  /** Messages of boxes about texts that they accepted. */
  readonly hints: string[] = [];
  readonly #expected: ExpectedInput[];
  readonly #problems: string[] = [];

  constructor(...expected: readonly ExpectedInput[]) {
    this.#expected = [...expected];
    Object.assign(vscode.window, {
      showQuickPick: async (items: Parameters<typeof vscode.window.showQuickPick>[0], options = {}) =>
        this.#pickFrom(await items, options),
      showInputBox: async (options: vscode.InputBoxOptions = {}) => this.#fill(options),
      showOpenDialog: async ({ title }: vscode.OpenDialogOptions = {}) => {
        const file = await this.#file(title);
        return file === undefined ? undefined : [file];
      },
      showSaveDialog: async ({ title }: vscode.SaveDialogOptions = {}) => this.#file(title),
      createQuickPick: () => this.#watch(editorsOwn.createQuickPick()),
      createInputBox: () =>
        new TypedBox((box) => {
          this.#type(box).catch((error: unknown) => {
            this.#problems.push(String(error));
            box.hide();
          });
        }),
    });
  }

  /** Appends to the expected inputs. */
  expect(...expected: readonly ExpectedInput[]): void {
    this.#expected.push(...expected);
  }

  /** The questions in the order in which they were shown. */
  get questions(): readonly string[] {
    return this.all.map(({ question }) => question);
  }

  /** @throws AssertionError if an unexpected input was shown or an expected input was not */
  dispose(): void {
    Object.assign(vscode.window, editorsOwn);
    assert.deepEqual(this.#problems, []);
    assert.deepEqual(this.#expected, [], "was never asked for");
  }

  /** Records an input and finds its answer. */
  async #next(shown: ShownInput): Promise<GivenAnswer> {
    this.all.push(shown);
    const [expected] = this.#expected;
    const fits =
      expected !== undefined &&
      (typeof expected[0] === "string"
        ? shown.question.includes(expected[0])
        : expected[0].test(shown.question));
    if (fits) {
      this.#expected.shift();
      const [, answer] = expected;
      return typeof answer === "function" ? await answer() : answer;
    }
    this.#problems.push(`Asked: ${shown.question}; expected: ${String(expected?.[0] ?? "nothing")}`);
    return undefined;
  }

  async #pickFrom(
    items: readonly (string | vscode.QuickPickItem)[],
    options: vscode.QuickPickOptions,
  ): Promise<unknown> {
    const rows = items.map((item) => (typeof item === "string" ? item : rowOf(item)));
    const answer = await this.#next({
      kind: "list",
      question: questionOf({ ...options, placeholder: options.placeHolder }),
      value: "",
      isPassword: false,
      rows,
    });
    if (answer === undefined) return undefined;
    const chosen = this.#wanted(answer).map((part) => items[this.#indexOf(rows, part)]);
    return options.canPickMany === true ? chosen : chosen[0];
  }

  async #fill(options: vscode.InputBoxOptions): Promise<string | undefined> {
    const answer = await this.#next({
      kind: "box",
      question: questionOf({ ...options, placeholder: options.placeHolder }),
      value: options.value ?? "",
      isPassword: options.password ?? false,
      rows: [],
    });
    return answer === undefined ? undefined : textOf(answer);
  }

  async #file(title: string | undefined): Promise<vscode.Uri | undefined> {
    const answer = await this.#next({
      kind: "file",
      question: title ?? "",
      value: "",
      isPassword: false,
      rows: [],
    });
    return answer instanceof vscode.Uri ? answer : undefined;
  }

  #watch(pick: vscode.QuickPick<vscode.QuickPickItem>): vscode.QuickPick<vscode.QuickPickItem> {
    const show = pick.show.bind(pick);
    // No VS Code command presses a row's button.
    const pressed = new vscode.EventEmitter<vscode.QuickPickItemButtonEvent<vscode.QuickPickItem>>();
    Object.assign(pick, { onDidTriggerItemButton: pressed.event });
    const changed = watchRows(pick);
    pick.show = () => {
      show();
      this.#choose(pick, pressed, changed).catch((error: unknown) => {
        this.#problems.push(String(error));
        pick.hide();
      });
    };
    return pick;
  }

  /** Answers the box again as long as it refuses the text. */
  async #type(box: TypedBox): Promise<void> {
    const question = questionOf(box);
    while (!box.isOver) {
      const { value, password } = box;
      const answer = await this.#next({ kind: "box", question, value, isPassword: password, rows: [] });
      if (answer === undefined) return box.hide();
      if (isBoxButton(answer)) await box.press(answer);
      else box.enter(textOf(answer));
      if (!box.isOver) this.refusals.push(box.said);
      else if (box.said !== "") this.hints.push(box.said);
    }
  }

  async #choose(
    pick: vscode.QuickPick<vscode.QuickPickItem>,
    pressed: vscode.EventEmitter<vscode.QuickPickItemButtonEvent<vscode.QuickPickItem>>,
    changed: vscode.Event<void>,
  ): Promise<void> {
    const { title, placeholder, value } = pick;
    const shown = { question: questionOf({ title, placeholder }), value, isPassword: false };
    const answer = await this.#next({ kind: "list", ...shown, rows: pick.items.map(rowOf) });
    if (answer === undefined) return pick.hide();
    if (isRowButton(answer)) {
      const item = pick.items[this.#indexOf(pick.items.map(rowOf), answer.row)];
      const button = item?.buttons?.find(({ tooltip }) => tooltip === answer.button);
      assert.ok(item !== undefined && button !== undefined, `${answer.row} has no button ${answer.button}`);
      pressed.fire({ item, button });
      return this.#choose(pick, pressed, changed);
    }
    if (answer !== asItIs && pick.canSelectMany) {
      const rows = pick.items.map(rowOf);
      const wanted = this.#wanted(answer).flatMap((part) => pick.items[this.#indexOf(rows, part)] ?? []);
      await check(pick, wanted);
    } else if (answer !== asItIs) {
      const [part = ""] = this.#wanted(answer);
      await this.#comes(pick, part, changed);
    }
    await vscode.commands.executeCommand(accept);
  }

  /** Types the part if no row contains it, and activates the row once it exists. */
  async #comes(
    pick: vscode.QuickPick<vscode.QuickPickItem>,
    part: string,
    changed: vscode.Event<void>,
  ): Promise<void> {
    const find = (): vscode.QuickPickItem | undefined =>
      pick.items.find((item) => rowOf(item).includes(part));
    if (find() === undefined) {
      const told = new Promise((resolve) => pick.onDidChangeValue(resolve));
      pick.value = part;
      await told;
    }
    // Typing may start a search. If the search does not find the row, the list may never change.
    while (find() === undefined) {
      const next = new Promise<void>((resolve) => changed(resolve));
      if (!(await isOverWithin(next, longestSearch))) break;
    }
    const row = find() ?? assert.fail(`No row has ${part} in ${pick.items.map(rowOf).join(" | ")}`);
    if (pick.activeItems[0] === row) return;
    // VS Code also reports a row that it activated itself. A later search may have replaced the row with an equal one.
    const active = new Promise<void>((resolve) => {
      pick.onDidChangeActive(([item]) => {
        if (item !== undefined && rowOf(item) === rowOf(row)) resolve();
      });
    });
    pick.activeItems = [row];
    await active;
  }

  #wanted(answer: GivenAnswer): readonly string[] {
    return Array.isArray(answer) ? answer : [textOf(answer)];
  }

  #indexOf(rows: readonly string[], part: string): number {
    const index = rows.findIndex((row) => row.includes(part));
    assert.ok(index >= 0, `No row has ${part} in ${rows.join(" | ")}`);
    return index;
  }
}

/** A box that a test types into: VS Code's own box reports only keyboard input. */
class TypedBox implements vscode.InputBox {
  value = "";
  valueSelection: readonly [number, number] | undefined;
  placeholder: string | undefined;
  password = false;
  buttons: readonly vscode.QuickInputButton[] = [];
  prompt: string | undefined;
  title: string | undefined;
  step: number | undefined;
  totalSteps: number | undefined;
  enabled = true;
  busy = false;
  ignoreFocusOut = false;
  isOver = false;
  readonly #changed = new vscode.EventEmitter<string>();
  readonly #accepted = new vscode.EventEmitter<void>();
  readonly #hidden = new vscode.EventEmitter<void>();
  readonly #pressed = new vscode.EventEmitter<vscode.QuickInputButton>();
  readonly #told = new vscode.EventEmitter<void>();
  #message: string | vscode.InputBoxValidationMessage | undefined;
  readonly onDidChangeValue = this.#changed.event;
  readonly onDidAccept = this.#accepted.event;
  readonly onDidHide = this.#hidden.event;
  readonly onDidTriggerButton = this.#pressed.event;
  readonly #onShow: (box: TypedBox) => void;

  constructor(onShow: (box: TypedBox) => void) {
    this.#onShow = onShow;
  }

  get validationMessage(): string | vscode.InputBoxValidationMessage | undefined {
    return this.#message;
  }

  set validationMessage(message: string | vscode.InputBoxValidationMessage | undefined) {
    this.#message = message;
    this.#told.fire();
  }

  show(): void {
    this.#onShow(this);
  }

  /** Presses a button. Resolves when the box has a message or closes. */
  async press({ boxButton, typed }: BoxButton): Promise<void> {
    const button = this.buttons.find((each) => each.tooltip === boxButton);
    assert.ok(button !== undefined, `The box has no button ${boxButton}`);
    if (typed !== undefined) {
      this.value = typed;
      this.#changed.fire(typed);
    }
    const told = new Promise<void>((resolve) => this.#told.event(resolve));
    this.#pressed.fire(button);
    await told;
  }

  hide(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#hidden.fire();
  }

  dispose(): void {
    this.hide();
    for (const each of [this.#changed, this.#accepted, this.#hidden, this.#pressed, this.#told])
      each.dispose();
  }

  /** Replaces the text and presses Enter. */
  enter(text: string): void {
    this.value = text;
    this.#changed.fire(text);
    this.#accepted.fire();
  }

  get said(): string {
    const { validationMessage } = this;
    return typeof validationMessage === "string" ? validationMessage : (validationMessage?.message ?? "");
  }
}

function textOf(answer: GivenAnswer): string {
  return typeof answer === "string" ? answer : assert.fail("The answer is to be a text.");
}

function isRowButton(answer: GivenAnswer): answer is RowButton {
  return typeof answer === "object" && "button" in answer;
}

function isBoxButton(answer: GivenAnswer): answer is BoxButton {
  return typeof answer === "object" && "boxButton" in answer;
}

/** Checks these rows and resolves when VS Code reports them. VS Code also reports the rows checked at first. */
async function check(
  pick: vscode.QuickPick<vscode.QuickPickItem>,
  wanted: readonly vscode.QuickPickItem[],
): Promise<void> {
  const isChecked = (items: readonly vscode.QuickPickItem[]): boolean =>
    items.length === wanted.length && items.every((item) => wanted.includes(item));
  const checked = new Promise<void>((resolve) => {
    pick.onDidChangeSelection((items) => {
      if (isChecked(items)) resolve();
    });
  });
  pick.selectedItems = wanted;
  await checked;
}

interface Question {
  readonly title?: string | undefined;
  readonly prompt?: string | undefined;
  readonly placeholder?: string | undefined;
}

function questionOf({ title, prompt, placeholder }: Question): string {
  return [title, prompt, placeholder].filter((text) => text !== undefined && text !== "").join("\n");
}
