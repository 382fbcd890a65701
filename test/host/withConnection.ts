import assert from "node:assert/strict";
import * as vscode from "vscode";
import type { Ask } from "../service/generation.ts";
import {
  type ReferenceService,
  type ReferenceServiceOptions,
  startReferenceService,
} from "../service/serve.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { writeConnections } from "./testConnections.ts";

/** A service for a group of tests, and the user's only connection, which leads to the service. */
export interface TestConnection {
  readonly name: string;
  readonly service: ReferenceService;
  /** Requests that the service received in this test. */
  readonly asks: Ask[];
  /** The value of the environment variable that the connection names. */
  readonly key: string;
  readonly variable: string;
}

export interface TestConnectionOptions {
  readonly name?: string;
  /** More fields of the connection's entry in the settings. */
  readonly entry?: Readonly<Record<string, unknown>>;
  readonly service?: ReferenceServiceOptions;
}

let connections = 0;

/**
 * Adds hooks to the surrounding `describe`: the connection exists from before the first test until after the last. The
 * service's journal and `asks` are empty before each test.
 */
export function withConnection(options: TestConnectionOptions = {}): TestConnection {
  const { name = "Acme", entry = {} } = options;
  const asks: Ask[] = [];
  let started: ReferenceService | undefined;
  // Each group has its own variable, because the extension binds a variable's key to the first origin.
  const variable = `INFERENCE_TEST_KEY_${(connections += 1)}`;
  const key = fakeKey(`host-${connections}`);

  before(async () => {
    started = await startReferenceService({
      ...options.service,
      onAsk: (ask) => {
        asks.push(ask);
        options.service?.onAsk?.(ask);
      },
    });
    process.env[variable] = started.keys.add({}, key);
    await writeConnections([{ name, baseUrl: started.origin, keyVariable: variable, ...entry }]);
  });
  beforeEach(() => {
    started?.journal.clear();
    asks.length = 0;
  });
  after(async () => {
    await writeConnections(undefined);
    delete process.env[variable];
    await started?.close();
  });

  return {
    name,
    variable,
    key,
    asks,
    get service() {
      return started ?? assert.fail("There is no service before the first test.");
    },
  };
}

/** The folder that is open in the tests' VS Code. */
export function workspaceFolder(): vscode.WorkspaceFolder {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  return folder ?? assert.fail("No folder is open.");
}
