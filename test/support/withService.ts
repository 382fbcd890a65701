import assert from "node:assert/strict";
import {
  type ReferenceService,
  type ReferenceServiceOptions,
  startReferenceService,
} from "../service/serve.ts";

/** A reference service that its fixture closes. */
export type TestService = Omit<ReferenceService, "close" | typeof Symbol.asyncDispose>;

export interface TestServiceOptions extends ReferenceServiceOptions {
  /** What it accepts, without limits. */
  readonly keys?: readonly string[];
}

/** Adds hooks to the `describe` around it: the service runs for all of its tests. */
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

/** The service that runs when it is used. */
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
    hurry: () => running().hurry(),
  };
}
