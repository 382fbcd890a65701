import { mock } from "node:test";

/** Mocks `setTimeout` and `performance.now`: time passes only in `tick`. Disposing restores both. */
export class MockClock implements Disposable {
  #now = performance.now();

  constructor() {
    mock.timers.enable({ apis: ["setTimeout"] });
    // Unlike `mock.method`, this property doesn't record its calls.
    Object.defineProperty(performance, "now", { configurable: true, value: () => this.#now });
  }

  /** Advances the time by this many milliseconds, one by one. */
  tick(milliseconds: number): void {
    for (let passed = 0; passed < milliseconds; passed += 1) {
      this.#now += 1;
      mock.timers.tick(1);
    }
  }

  [Symbol.dispose](): void {
    mock.timers.reset();
    // Without the own property, the prototype's method is used again.
    Reflect.deleteProperty(performance, "now");
  }
}
