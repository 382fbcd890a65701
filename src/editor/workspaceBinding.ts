import * as v from "valibot";
import type * as vscode from "vscode";
import type { ClientStyle } from "../protocol/wireStyle.ts";

/** What a workspace chose. Kept in the workspace's state, so that no file of a repository decides it. */
const bindingSchema = v.object({
  connection: v.optional(v.string()),
  /** By connection, since models of one service mean nothing to another. */
  models: v.optional(v.record(v.string(), v.string()), {}),
  clientStyles: v.optional(v.record(v.string(), v.picklist(["chat-completions", "messages"])), {}),
});

type Binding = v.InferOutput<typeof bindingSchema>;

const stateKey = "inference.binding";

/** The workspace's choice of connection, model and client style. */
export class WorkspaceBinding {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  get connectionName(): string | undefined {
    return this.#read().connection;
  }

  modelFor(connectionName: string): string | undefined {
    return own(this.#read().models, connectionName);
  }

  clientStyleFor(connectionName: string): ClientStyle | undefined {
    return own(this.#read().clientStyles, connectionName);
  }

  async bind(connectionName: string): Promise<void> {
    await this.#write({ ...this.#read(), connection: connectionName });
  }

  async chooseModel(connectionName: string, model: string): Promise<void> {
    const binding = this.#read();
    await this.#write({ ...binding, models: { ...binding.models, [connectionName]: model } });
  }

  async chooseClientStyle(connectionName: string, clientStyle: ClientStyle): Promise<void> {
    const binding = this.#read();
    await this.#write({
      ...binding,
      clientStyles: { ...binding.clientStyles, [connectionName]: clientStyle },
    });
  }

  async rename(from: string, to: string): Promise<void> {
    const binding = this.#read();
    const { [from]: model, ...models } = binding.models;
    const { [from]: clientStyle, ...clientStyles } = binding.clientStyles;
    await this.#write({
      ...(binding.connection === undefined
        ? {}
        : { connection: binding.connection === from ? to : binding.connection }),
      models: model === undefined ? models : { ...models, [to]: model },
      clientStyles: clientStyle === undefined ? clientStyles : { ...clientStyles, [to]: clientStyle },
    });
  }

  /** A connection that comes again under this name begins anew; the workspace stays bound to the name. */
  async forget(connectionName: string): Promise<void> {
    const binding = this.#read();
    const { [connectionName]: _model, ...models } = binding.models;
    const { [connectionName]: _clientStyle, ...clientStyles } = binding.clientStyles;
    await this.#write({ ...binding, models, clientStyles });
  }

  #read(): Binding {
    const parsed = v.safeParse(bindingSchema, this.#state.get<unknown>(stateKey));
    return parsed.success ? parsed.output : { models: {}, clientStyles: {} };
  }

  async #write(binding: Binding): Promise<void> {
    await this.#state.update(stateKey, binding);
  }
}

/** A connection may be called `constructor`; what every object has is not its choice. */
function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
