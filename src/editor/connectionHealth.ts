import * as vscode from "vscode";
import type { Cause } from "../client/cause.ts";

/** Causes that the key itself is answerable for: they turn the status bar red until mended. */
const keyCauses: ReadonlySet<Cause> = new Set<Cause>([
  "empty-key",
  "malformed-key",
  "not-a-key",
  "invalid-key",
  "revoked-key",
  "expired-key",
  "budget-exhausted",
  "key-origin-mismatch",
]);

/** Causes that lie in the question or the answer, and say nothing of the connection. */
const saysNothing: ReadonlySet<Cause> = new Set<Cause>(["cancelled", "content-filtered", "context-length"]);

export type Health =
  | { readonly kind: "unknown" }
  | { readonly kind: "good" }
  | { readonly kind: "key-refused"; readonly title: string }
  | { readonly kind: "failing"; readonly title: string };

/** How the last call of each connection went, for this window. */
export class ConnectionHealth implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #byName = new Map<string, Health>();
  readonly #keyHistory = new Map<string, "accepted" | "new">();

  readonly onDidChange = this.#changed.event;

  of(connectionName: string): Health {
    return this.#byName.get(connectionName) ?? { kind: "unknown" };
  }

  /** Whether the connection's key was accepted in this window, or is new in it. */
  keyHistoryOf(connectionName: string): "accepted" | "new" | undefined {
    return this.#keyHistory.get(connectionName);
  }

  succeeded(connectionName: string): void {
    this.#keyHistory.set(connectionName, "accepted");
    this.#set(connectionName, { kind: "good" });
  }

  failed(connectionName: string, cause: Cause, title: string): void {
    if (saysNothing.has(cause)) return;
    this.#set(connectionName, { kind: keyCauses.has(cause) ? "key-refused" : "failing", title });
  }

  /** After the key or the address changed nothing is known any more. */
  forget(connectionName: string): void {
    this.#keyHistory.set(connectionName, "new");
    this.#set(connectionName, { kind: "unknown" });
  }

  dispose(): void {
    this.#changed.dispose();
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
