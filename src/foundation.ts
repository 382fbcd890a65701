import type * as vscode from "vscode";
import type { ConnectionHealth } from "./editor/service/connectionHealth.ts";
import type { LastTextEditor } from "./editor/shared/lastTextEditor.ts";
import type { SerializedMemento } from "./editor/workspace/state.ts";
import type { WorkspaceConnections } from "./editor/workspace/workspaceConnections.ts";

/** What is there from the start. */
export interface Foundation {
  readonly context: vscode.ExtensionContext;
  /** For all windows. */
  readonly globalState: SerializedMemento;
  readonly connections: WorkspaceConnections;
  readonly health: ConnectionHealth;
  readonly lastTextEditor: LastTextEditor;
  /** To be called when a list of models was had or forgotten. */
  readonly onModelsChanged: () => void;
  /** Disposed with the extension. */
  readonly register: <T extends vscode.Disposable>(disposable: T) => T;
}
