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

/** A service of a test's own, and a connection that leads to it once the test connects. */
export interface OwnService {
  /** The connection's, another for each test: a connection remembers where its key was sent to. */
  readonly name: string;
  readonly service: TestService;
  /** What the service was asked in this test. */
  readonly asks: readonly Ask[];
  /** Lies in the variable. */
  readonly key: string;
  readonly keyVariable: string;
  /** Writes the connection as the user's only one; `entry` is more of its entry in the settings. */
  readonly connect: (entry?: Readonly<Record<string, unknown>>) => Promise<void>;
}

/** Adds hooks to the `describe` around it: each test has a service of its own, and leaves no connection. */
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
