import * as v from "valibot";
import * as vscode from "vscode";
import { checkedStyles } from "../../connection/check/checkSteps.ts";
import type { Connection } from "../../connection/setup/connection.ts";
import { type ClientStyle, clientStyles } from "../../protocol/conversation/wireStyle.ts";
import { showInformation } from "../shared/notices.ts";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";
import type { State } from "../workspace/state.ts";

/** Stored consents to billable requests. An array, because a record cannot hold every connection name as a key. */
const consentsSchema = v.array(
  v.object({
    connection: v.string(),
    origin: v.string(),
    clientStyles: v.array(v.picklist(clientStyles)),
  }),
);

type Consents = v.InferOutput<typeof consentsSchema>;

const stateKey = "inference.checkConsents";

/** Asks for consent to the check's billable requests, once per connection, origin and client style. */
export class CheckConsents implements vscode.Disposable {
  readonly #state: State;
  readonly #connections: WorkspaceConnections;
  readonly #subscription: vscode.Disposable;

  constructor(state: State, connections: WorkspaceConnections) {
    this.#state = state;
    this.#connections = connections;
    this.#subscription = connections.onDidChange(() => void this.#removeOutdated().catch(() => undefined));
  }

  /** Returns whether to run the billable steps. Undefined if the user cancels the check. */
  async request(connection: Connection): Promise<boolean | undefined> {
    const clientStyle = this.#connections.clientStyleFor(connection);
    if (this.has(connection, clientStyle)) return true;
    const run = vscode.l10n.t("Run Check");
    const free = vscode.l10n.t("Run Free Steps Only");
    const message = vscode.l10n.t("Run a connection check for '{0}'?", connection.name);
    const detail = [
      whatIsBilled(clientStyle, this.#connections.modelFor(connection)),
      vscode.l10n.t(
        "If you select Run Check, you will not be asked again for this connection. The free steps can't verify the key.",
      ),
    ].join("\n\n");
    const chosen = await showInformation(message, { modal: true, detail }, run, free);
    if (chosen === run) await this.grant(connection, clientStyle);
    return chosen === undefined ? undefined : chosen === run;
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  /** Whether the user has agreed before. */
  has(connection: Connection, clientStyle: ClientStyle): boolean {
    const consent = this.#read().find((each) => each.connection === connection.name);
    return consent?.origin === originOf(connection) && consent?.clientStyles.includes(clientStyle) === true;
  }

  /** Saves the user's consent. */
  async grant(connection: Connection, clientStyle: ClientStyle): Promise<void> {
    const origin = originOf(connection);
    if (origin === undefined) return;
    const all = this.#read();
    const before = all.find((each) => each.connection === connection.name);
    const styles = before?.origin === origin ? before.clientStyles : [];
    const others = all.filter((each) => each !== before);
    const agreed = [...new Set([...styles, clientStyle])];
    const consent = { connection: connection.name, origin, clientStyles: agreed };
    await this.#state.update(stateKey, [...others, consent]);
  }

  /**
   * Removes consents for connections that were removed or moved to another origin. If the user undoes that change, the
   * next check asks again.
   */
  async #removeOutdated(): Promise<void> {
    const before = this.#read();
    const kept = before.filter((consent) => {
      const connection = this.#connections.named(consent.connection);
      return connection !== undefined && originOf(connection) === consent.origin;
    });
    if (kept.length < before.length) await this.#state.update(stateKey, kept);
  }

  #read(): Consents {
    const parsed = v.safeParse(consentsSchema, this.#state.get(stateKey));
    return parsed.success ? parsed.output : [];
  }
}

function originOf({ address }: Connection): string | undefined {
  return address.kind === "address" ? address.address.origin : undefined;
}

function whatIsBilled(clientStyle: ClientStyle, model: string): string {
  return checkedStyles(clientStyle).length > 1
    ? vscode.l10n.t(
        "Lists the models (free), then sends 2 billable requests to '{0}'. Each answer is limited to 1 token.",
        model,
      )
    : vscode.l10n.t(
        "Lists the models (free), then sends 1 billable request to '{0}'. The answer is limited to 1 token.",
        model,
      );
}
