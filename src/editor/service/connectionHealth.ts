import * as vscode from "vscode";
import { type Cause, causeTraits } from "../../client/failure/cause.ts";

export type Health =
  | { readonly kind: "unknown" }
  | { readonly kind: "good" }
  | { readonly kind: "key-refused"; readonly title: string }
  | { readonly kind: "failing"; readonly title: string };

/** Receives the outcome of a pending request. Ignores it if the key or base URL has changed since. */
export interface CallHealth {
  readonly succeeded: () => void;
  readonly failed: (cause: Cause, title: string) => void;
  /** Whether the key and base URL are still those from the start of the request. */
  readonly isCurrent: () => boolean;
}

/** The outcome of each connection's last request in this window. */
export class ConnectionHealth implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #byName = new Map<string, Health>();
  /** Counts changes of each connection's key or base URL. A change makes the outcomes of pending requests stale. */
  readonly #epochs = new Map<string, number>();
  readonly #keyHistory = new Map<string, "accepted" | "new">();

  readonly onDidChange = this.#changed.event;

  of(connectionName: string): Health {
    return this.#byName.get(connectionName) ?? { kind: "unknown" };
  }

  /** Whether the connection's key was accepted in this window, or is new in this window. */
  keyHistoryOf(connectionName: string): "accepted" | "new" | undefined {
    return this.#keyHistory.get(connectionName);
  }

  /** Must be called when a request begins. */
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
          // These outcomes mark the status bar item until the problem is fixed.
          case "key":
            return tell({ kind: "key-refused", title });
          case "connection":
            return tell({ kind: "failing", title });
          case "question":
        }
      },
    };
  }

  /**
   * Resets the health after a change of the key or base URL. Pending requests can't report for the new key or base URL.
   */
  forget(connectionName: string): void {
    this.#keyHistory.set(connectionName, "new");
    this.outdate(connectionName);
  }

  /** Resets the health when an unchanged key becomes readable. Requests that began before may fail without the key. */
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
