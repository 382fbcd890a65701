import * as v from "valibot";
import { readModelName } from "../../connection/setup/connection.ts";
import { type ClientStyle, clientStyles } from "../../protocol/conversation/wireStyle.ts";
import type { State } from "./state.ts";

const choiceSchema = v.pipe(
  v.object({
    connection: v.string(),
    model: v.optional(v.string()),
    /** Whether the service lists this model. */
    isListed: v.optional(v.boolean(), false),
    clientStyle: v.optional(v.picklist(clientStyles)),
    /** The chosen models, the last one first. */
    recent: v.optional(v.array(v.string()), []),
  }),
  // A typed model that may be a key is ignored. The next choice removes it from the state.
  v.transform((choice) => ({
    ...choice,
    model: choice.isListed ? choice.model : readModelName(choice.model),
    recent: choice.recent.filter((model) => readModelName(model) === model),
  })),
);

const maxRecent = 8;

/**
 * The choices of a workspace. They are stored in the workspace's state, so that no file of a repository decides them.
 */
const bindingSchema = v.object({
  connection: v.optional(v.string()),
  /**
   * By connection, because model IDs of one service mean nothing to another service. An array: `v.record` drops keys
   * such as `__proto__`, which a connection may have as its name.
   */
  choices: v.optional(v.array(choiceSchema), []),
});

type Choice = v.InferOutput<typeof choiceSchema>;
type Binding = v.InferOutput<typeof bindingSchema>;

const stateKey = "inference.binding";

/** The workspace's choice of connection, model, and client style. */
export class WorkspaceBinding {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  get connectionName(): string | undefined {
    return this.#read().connection;
  }

  modelFor(connectionName: string): string | undefined {
    return this.#choiceFor(connectionName)?.model;
  }

  /** The models chosen in this workspace, the last one first. */
  recentModels(connectionName: string): readonly string[] {
    return this.#choiceFor(connectionName)?.recent ?? [];
  }

  clientStyleFor(connectionName: string): ClientStyle | undefined {
    return this.#choiceFor(connectionName)?.clientStyle;
  }

  async bind(connectionName: string): Promise<void> {
    await this.#write({ ...this.#read(), connection: connectionName });
  }

  async chooseModel(connectionName: string, model: string, from: "list" | "typed"): Promise<void> {
    const before = this.recentModels(connectionName).filter((each) => each !== model);
    const recent = [model, ...before].slice(0, maxRecent);
    await this.#choose(connectionName, { model, isListed: from === "list", recent });
  }

  async chooseClientStyle(connectionName: string, clientStyle: ClientStyle | undefined): Promise<void> {
    await this.#choose(connectionName, { clientStyle });
  }

  async rename(from: string, to: string): Promise<void> {
    const binding = this.#read();
    const choices = this.#choicesBeside(to).map((choice) =>
      choice.connection === from ? { ...choice, connection: to } : choice,
    );
    await this.#write({
      ...(binding.connection === undefined
        ? {}
        : { connection: binding.connection === from ? to : binding.connection }),
      choices,
    });
  }

  /**
   * Forgets the choices for a connection, so that a new connection of this name starts without them. The workspace
   * stays bound to the name. The result restores the choices.
   */
  async forget(connectionName: string): Promise<() => Promise<void>> {
    const forgotten = this.#choiceFor(connectionName);
    await this.#write({ ...this.#read(), choices: this.#choicesBeside(connectionName) });
    return async () => {
      if (forgotten !== undefined) await this.#choose(connectionName, forgotten);
    };
  }

  #choiceFor(connectionName: string): Choice | undefined {
    return this.#read().choices.find(({ connection }) => connection === connectionName);
  }

  #choicesBeside(connectionName: string): Choice[] {
    return this.#read().choices.filter(({ connection }) => connection !== connectionName);
  }

  async #choose(connectionName: string, choice: Partial<Choice>): Promise<void> {
    const before = this.#choiceFor(connectionName) ?? { model: undefined, isListed: false, recent: [] };
    const choices = [
      ...this.#choicesBeside(connectionName),
      { ...before, ...choice, connection: connectionName },
    ];
    await this.#write({ ...this.#read(), choices });
  }

  #read(): Binding {
    const parsed = v.safeParse(bindingSchema, this.#state.get(stateKey));
    return parsed.success ? parsed.output : { choices: [] };
  }

  async #write(binding: Binding): Promise<void> {
    await this.#state.update(stateKey, binding);
  }
}

/** A workspace as it is stored. It is shown only on this computer. */
export interface KnownWorkspace {
  readonly name: string;
  /** URI of the workspace's folder or workspace file. */
  readonly uri: string;
}

/** Newest first. An array: `v.record` drops keys such as `__proto__`, which a connection may have as its name. */
const listSchema = v.array(v.object({ connection: v.string(), name: v.string(), uri: v.string() }));

type BoundWorkspace = v.InferOutput<typeof listSchema>[number];

const workspacesKey = "inference.workspaces";
/** Maximum number of remembered workspaces, for all connections together. */
const maxWorkspaces = 200;

/** Remembers which workspaces of this computer use which connection, to show where else a key is used. */
export class ConnectionWorkspaces {
  readonly #state: State;

  constructor(state: State) {
    this.#state = state;
  }

  of(connectionName: string): readonly KnownWorkspace[] {
    return this.#read()
      .filter(({ connection }) => connection === connectionName)
      .map(({ name, uri }) => ({ name, uri }));
  }

  /** Binds a workspace to a connection, and removes it from all others. */
  async bind(connection: string, { name, uri }: KnownWorkspace): Promise<void> {
    const others = this.#read().filter((each) => each.uri !== uri);
    await this.#write([{ connection, name, uri }, ...others].slice(0, maxWorkspaces));
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#write(
      this.#read().map((each) => (each.connection === from ? { ...each, connection: to } : each)),
    );
  }

  /**
   * Forgets the workspaces of a connection. The result restores those that are not bound to another connection by then.
   */
  async forget(connectionName: string): Promise<() => Promise<void>> {
    const before = this.#read();
    await this.#write(before.filter(({ connection }) => connection !== connectionName));
    return async () => {
      const bound = this.#read();
      const uris = new Set(bound.map(({ uri }) => uri));
      await this.#write([
        ...bound,
        ...before.filter(({ connection, uri }) => connection === connectionName && !uris.has(uri)),
      ]);
    };
  }

  #read(): readonly BoundWorkspace[] {
    const parsed = v.safeParse(listSchema, this.#state.get(workspacesKey));
    return parsed.success ? parsed.output : [];
  }

  async #write(workspaces: readonly BoundWorkspace[]): Promise<void> {
    await this.#state.update(workspacesKey, workspaces);
  }
}
