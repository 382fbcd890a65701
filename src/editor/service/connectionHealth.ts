import * as vscode from "vscode";
import { type Cause, causeTraits } from "../../client/failure/cause.ts";

export type Health =
  | { readonly kind: "unknown" }
  | { readonly kind: "good" }
  | { readonly kind: "key-refused"; readonly title: string }
  | { readonly kind: "failing"; readonly title: string };

/** Where a call under way says how it went. What it says is dropped once the key or address is another one. */
export interface CallHealth {
  readonly succeeded: () => void;
  readonly failed: (cause: Cause, title: string) => void;
  /** Whether key and address are those that it began with. */
  readonly isCurrent: () => boolean;
}

/** How the last call of each connection went, for this window. */
export class ConnectionHealth implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #byName = new Map<string, Health>();
  /** Counts the keys and addresses that a connection had; a call tells of the one it began with. */
  readonly #epochs = new Map<string, number>();
  readonly #keyHistory = new Map<string, "accepted" | "new">();

  readonly onDidChange = this.#changed.event;

  of(connectionName: string): Health {
    return this.#byName.get(connectionName) ?? { kind: "unknown" };
  }

  /** Whether the connection's key was accepted in this window, or is new in it. */
  keyHistoryOf(connectionName: string): "accepted" | "new" | undefined {
    return this.#keyHistory.get(connectionName);
  }

  /** To be called when a call begins. */
  begin(connectionName: string): CallHealth {
    const epoch = this.#epochOf(connectionName);
    const isCurrent = (): boolean => epoch === this.#epochOf(connectionName);
    const tell = (health: Health): void => {
      if (isCurrent()) this.#set(connectionName, health);
    };
    return {
      isCurrent,
      succeeded: () => {
        if (isCurrent()) this.#keyHistory.set(connectionName, "accepted");
        tell({ kind: "good" });
      },
      failed: (cause, title) => {
        switch (causeTraits[cause].blames) {
          // They turn the status bar red until mended.
          case "key":
            return tell({ kind: "key-refused", title });
          case "connection":
            return tell({ kind: "failing", title });
          case "question":
        }
      },
    };
  }

  /** After the key or the address changed nothing is known any more; calls under way say nothing of the new one. */
  forget(connectionName: string): void {
    this.#keyHistory.set(connectionName, "new");
    this.outdate(connectionName);
  }

  /** The key can be read by now: a call that began before may fail without it. It is the one that it was. */
  outdate(connectionName: string): void {
    this.#epochs.set(connectionName, this.#epochOf(connectionName) + 1);
    this.#set(connectionName, { kind: "unknown" });
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #epochOf(connectionName: string): number {
    return this.#epochs.get(connectionName) ?? 0;
  }

  #set(connectionName: string, health: Health): void {
    const before = this.of(connectionName);
    if (before.kind === health.kind && titleOf(before) === titleOf(health)) return;
    this.#byName.set(connectionName, health);
    this.#changed.fire();
  }
}

function titleOf(health: Health): string | undefined {
  return "title" in health ? health.title : undefined;
}
