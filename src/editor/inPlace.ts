import type * as vscode from "vscode";
import type { CommandTable } from "./commands/commandTable.ts";
import { inPlaceCommands } from "./commands/inPlaceCommands.ts";
import type { InPlaceActions, InPlaceActionsOptions } from "./inPlace/inPlaceActions.ts";
import { registerInPlaceCodeActions } from "./inPlaceCodeActions.ts";

/** What is done with code where it stands: offered from the start, loaded when it is used. */
export class InPlace implements vscode.Disposable {
  readonly commands: CommandTable;
  readonly #codeActions = registerInPlaceCodeActions();
  #actions: Promise<InPlaceActions> | undefined;
  #loaded: InPlaceActions | undefined;

  constructor(options: InPlaceActionsOptions) {
    const load = (): Promise<InPlaceActions> => {
      this.#actions ??= import("./inPlace/inPlaceActions.ts").then((module) => {
        this.#loaded = new module.InPlaceActions(options);
        return this.#loaded;
      });
      return this.#actions;
    };
    this.commands = inPlaceCommands(load, options.lastTextEditor);
  }

  dispose(): void {
    this.#codeActions.dispose();
    this.#loaded?.dispose();
  }
}
