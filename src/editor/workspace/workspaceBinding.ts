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
  /** Names of the connections that the user has selected in this workspace, also for single chats. */
  selected: v.optional(v.array(v.string()), []),
  /** Number of selections of a connection, model or client style for the whole workspace. */
  selections: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0)), 0),
  /** Milliseconds since 1970. A name counts only if no other connection has taken it since. */
  writtenAt: v.optional(v.number(), 0),
});

type Choice = v.InferOutput<typeof choiceSchema>;
type Binding = v.InferOutput<typeof bindingSchema>;

const stateKey = "inference.binding";

/** The workspace's choice of connection, model, and client style. */
export class WorkspaceBinding {
  readonly #state: State;
  #names: Pick<ConnectionWorkspaces, "isTakenSince"> | undefined;

  constructor(state: State) {
    this.#state = state;
  }

  /** From now on, names that another connection has taken no longer count. */
  follow(names: Pick<ConnectionWorkspaces, "isTakenSince">): void {
    this.#names = names;
  }

  /** Empty if another connection has taken the name, so that the user must choose again. */
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

  /** Whether the user has selected this connection in this workspace, for the workspace or for a chat. */
  hasSelected(connectionName: string): boolean {
    const { connection, choices, selected } = this.#read();
    return (
      connection === connectionName ||
      selected.includes(connectionName) ||
      // An earlier version stored no list.
      choices.some(
        ({ connection: name, model, clientStyle }) =>
          name === connectionName && (model !== undefined || clientStyle !== undefined),
      )
    );
  }

  /** Number of selections for the whole workspace. A later selection replaces that of a chat without a question. */
  get selections(): number {
    return this.#read().selections;
  }

  async bind(connectionName: string): Promise<void> {
    await this.#write({ ...this.#read(), connection: connectionName });
    await this.select(connectionName);
  }

  /** Allows chats of this workspace to use the connection, because the user has selected it. */
  async select(connectionName: string): Promise<void> {
    const binding = this.#read();
    if (binding.selected.includes(connectionName)) return;
    await this.#write({ ...binding, selected: [...binding.selected, connectionName] });
  }

  /** Counts a selection for the whole workspace. */
  async count(): Promise<void> {
    await this.#write({ ...this.#read(), selections: this.selections + 1 });
  }

  async chooseModel(connectionName: string, model: string, from: "list" | "typed"): Promise<void> {
    const recent = this.#recentWith(connectionName, model);
    await this.#choose(connectionName, { model, isListed: from === "list", recent });
  }

  /** Adds a model to the recent ones, without choosing it for the workspace. */
  async noteModel(connectionName: string, model: string): Promise<void> {
    await this.#choose(connectionName, { recent: this.#recentWith(connectionName, model) });
  }

  async chooseClientStyle(connectionName: string, clientStyle: ClientStyle | undefined): Promise<void> {
    await this.#choose(connectionName, { clientStyle });
  }

  async rename(from: string, to: string): Promise<void> {
    const binding = this.#read();
    const choices = this.#choicesBeside(to).map((choice) =>
      choice.connection === from ? { ...choice, connection: to } : choice,
    );
    const selected = binding.selected.map((name) => (name === from ? to : name));
    await this.#write({
      ...binding,
      ...(binding.connection === from ? { connection: to } : {}),
      choices,
      selected: [...new Set(selected)],
    });
  }

  /**
   * Forgets the choices for a connection, so that a new connection of this name starts without them. The workspace
   * stays bound to the name. The result restores the choices.
   */
  async forget(connectionName: string): Promise<() => Promise<void>> {
    const forgotten = this.#choiceFor(connectionName);
    const binding = this.#read();
    const selected = binding.selected.filter((name) => name !== connectionName);
    await this.#write({ ...binding, choices: this.#choicesBeside(connectionName), selected });
    return async () => {
      if (forgotten !== undefined) await this.#choose(connectionName, forgotten);
      if (binding.selected.includes(connectionName)) await this.select(connectionName);
    };
  }

  #recentWith(connectionName: string, model: string): string[] {
    const before = this.recentModels(connectionName).filter((each) => each !== model);
    return [model, ...before].slice(0, maxRecent);
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

  /** Leaves out what was chosen for an earlier connection of a name. */
  #read(): Binding {
    const parsed = v.safeParse(bindingSchema, this.#state.get(stateKey));
    if (!parsed.success) return { choices: [], selected: [], selections: 0, writtenAt: 0 };
    const { output: binding } = parsed;
    const isMeant = (name: string): boolean => this.#names?.isTakenSince(name, binding.writtenAt) !== true;
    const { connection } = binding;
    return {
      ...binding,
      ...(connection === undefined || isMeant(connection) ? {} : { connection: "" }),
      choices: binding.choices.filter((choice) => isMeant(choice.connection)),
      selected: binding.selected.filter(isMeant),
    };
  }

  async #write(binding: Binding): Promise<void> {
    await this.#state.update(stateKey, { ...binding, writtenAt: Date.now() });
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

/** Former names of connections, oldest first. */
const renamesSchema = v.array(v.object({ from: v.string(), to: v.string() }));

type Rename = v.InferOutput<typeof renamesSchema>[number];

/** Names with the milliseconds since 1970 when a connection took them, oldest first. */
const takenSchema = v.array(v.object({ name: v.string(), at: v.number() }));

const workspacesKey = "inference.workspaces";
const renamesKey = "inference.renamedConnections";
const takenKey = "inference.takenNames";
/** Maximum number of remembered former names, and of names that were taken. */
const maxRenames = 100;
/** Maximum number of remembered workspaces, for all connections together. */
const maxWorkspaces = 200;

/**
 * Remembers which workspaces of this computer use which connection, to show where else a key is used. Remembers former
 * names, so that chats find their connection after it was renamed, and when a connection took its name.
 */
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
    // With its own former name, the connection means the same as before.
    if (this.newNameOf(to) !== from) await this.take(to);
    await this.#write(
      this.#read().map((each) => (each.connection === from ? { ...each, connection: to } : each)),
    );
    const others = this.#renames().filter((each) => each.from !== to);
    const followed = others.map((each) => (each.to === from ? { ...each, to } : each));
    await this.#state.update(
      renamesKey,
      [...followed.filter((each) => each.from !== from), { from, to }].slice(-maxRenames),
    );
  }

  /** The name that a connection has now, if it once had this name. */
  newNameOf(formerName: string): string | undefined {
    return this.#renames().find(({ from }) => from === formerName)?.to;
  }

  formerNamesOf(name: string): readonly string[] {
    return this.#renames().flatMap(({ from, to }) => (to === name ? [from] : []));
  }

  /** A connection takes this name. Chats and workspaces that used it until now mean another connection. */
  async take(name: string): Promise<void> {
    await this.forget(name);
    const others = this.#taken().filter((each) => each.name !== name);
    await this.#state.update(takenKey, [...others, { name, at: Date.now() }].slice(-maxRenames));
  }

  /** Whether another connection has taken the name since this time in milliseconds. */
  isTakenSince(name: string, time: number): boolean {
    return this.#taken().some((each) => each.name === name && each.at > time);
  }

  #taken(): v.InferOutput<typeof takenSchema> {
    const parsed = v.safeParse(takenSchema, this.#state.get(takenKey));
    return parsed.success ? parsed.output : [];
  }

  /**
   * Forgets the renames from and to this name, so that another connection of this name gets none of their chats. The
   * result restores those whose former name no connection has got since.
   */
  async forgetRenames(name: string): Promise<() => Promise<void>> {
    const before = this.#renames();
    const isOf = ({ from, to }: Rename): boolean => from === name || to === name;
    if (before.some(isOf))
      await this.#state.update(
        renamesKey,
        before.filter((each) => !isOf(each)),
      );
    return async () => {
      const now = this.#renames();
      const lost = before.filter((each) => isOf(each) && now.every(({ from }) => from !== each.from));
      if (lost.length > 0) await this.#state.update(renamesKey, [...lost, ...now].slice(-maxRenames));
    };
  }

  #renames(): readonly Rename[] {
    const parsed = v.safeParse(renamesSchema, this.#state.get(renamesKey));
    return parsed.success ? parsed.output : [];
  }

  /**
   * Forgets the workspaces and former names of a connection. The result restores those that do not belong to another
   * connection by then.
   */
  async forget(connectionName: string): Promise<() => Promise<void>> {
    const restoreRenames = await this.forgetRenames(connectionName);
    const before = this.#read();
    await this.#write(before.filter(({ connection }) => connection !== connectionName));
    return async () => {
      await restoreRenames();
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
