import assert from "node:assert/strict";
import type { Ask } from "../service/generation.ts";
import {
  type ReferenceService,
  type ReferenceServiceOptions,
  startReferenceService,
} from "../service/serve.ts";
import { serviceOf, type TestService } from "../support/withService.ts";
import { fakeKey } from "../unit/service/fixture.ts";
import { writeConnections } from "./testConnections.ts";

/** A service for each test, and a connection to it after the test calls `connect`. */
export interface OwnService {
  /**
   * The connection's name, different in each test: the extension stores which origin a connection's key was sent to.
   */
  readonly name: string;
  readonly service: TestService;
  /** Requests that the service received in this test. */
  readonly asks: readonly Ask[];
  /** The value of the environment variable. */
  readonly key: string;
  readonly keyVariable: string;
  /** Writes the connection as the user's only one. `entry` adds fields to its entry in the settings. */
  readonly connect: (entry?: Readonly<Record<string, unknown>>) => Promise<void>;
}

/** Adds hooks to the surrounding `describe`: each test has its own service, and leaves no connection. */
export function withOwnService(
  name: string,
  options: Omit<ReferenceServiceOptions, "onAsk"> = {},
): OwnService {
  const asks: Ask[] = [];
  const key = fakeKey("of-one-test");
  const keyVariable = "INFERENCE_OWN_KEY";
  let started: ReferenceService | undefined;
  let tests = 0;
  const running = (): ReferenceService => started ?? assert.fail("There is no service before a test.");
  const connectionName = (): string => `${name} ${tests}`;

  beforeEach(async () => {
    tests += 1;
    asks.length = 0;
    started = await startReferenceService({ ...options, onAsk: (ask) => asks.push(ask) });
    process.env[keyVariable] = started.keys.add({}, key);
  });
  afterEach(async () => {
    delete process.env[keyVariable];
    await writeConnections(undefined);
    await running().close();
  });

  return {
    get name() {
      return connectionName();
    },
    service: serviceOf(running),
    asks,
    key,
    keyVariable,
    connect: (entry = {}) =>
      writeConnections([{ name: connectionName(), baseUrl: running().origin, keyVariable, ...entry }]),
  };
}
