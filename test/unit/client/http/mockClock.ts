import { mock } from "node:test";

/** Time that passes when a test says so: for `setTimeout` and `performance.now`. Its end gives back the real ones. */
export class MockClock implements Disposable {
  #now = performance.now();

  constructor() {
    mock.timers.enable({ apis: ["setTimeout"] });
    // Unlike a mocked method this keeps no list of its calls.
    Object.defineProperty(performance, "now", { configurable: true, value: () => this.#now });
  }

  /** Lets so many milliseconds pass, one by one. */
  tick(milliseconds: number): void {
    for (let passed = 0; passed < milliseconds; passed += 1) {
      this.#now += 1;
      mock.timers.tick(1);
    }
  }

  [Symbol.dispose](): void {
    mock.timers.reset();
    // The one of its class is seen again.
    Reflect.deleteProperty(performance, "now");
  }
}
