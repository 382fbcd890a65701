import assert from "node:assert/strict";
import {
  type ReferenceService,
  type ReferenceServiceOptions,
  startReferenceService,
} from "../service/serve.ts";

/** A reference service that the hooks of a `describe` start and close. */
export type TestService = Omit<ReferenceService, "close" | typeof Symbol.asyncDispose>;

export interface TestServiceOptions extends ReferenceServiceOptions {
  /** Keys that the service accepts, without limits. */
  readonly keys?: readonly string[];
}

/** Adds hooks to the current `describe`: the service runs during all of its tests. */
export function withService({ keys = [], ...options }: TestServiceOptions = {}): TestService {
  let started: ReferenceService | undefined;
  const running = (): ReferenceService =>
    started ?? assert.fail("There is no service before the first test.");

  before(async () => {
    started = await startReferenceService(options);
    for (const key of keys) started.keys.add({}, key);
  });
  after(() => started?.close());

  return serviceOf(running);
}

/** Forwards each use to the service that is running at that moment. */
export function serviceOf(running: () => ReferenceService): TestService {
  return {
    get origin() {
      return running().origin;
    },
    get keys() {
      return running().keys;
    },
    get journal() {
      return running().journal;
    },
    get pace() {
      return running().pace;
    },
    set pace(pace) {
      running().pace = pace;
    },
    get quirks() {
      return running().quirks;
    },
    set quirks(quirks) {
      running().quirks = quirks;
    },
    failNext: (failure) => running().failNext(failure),
    get script() {
      return running().script;
    },
    hurry: () => running().hurry(),
  };
}
