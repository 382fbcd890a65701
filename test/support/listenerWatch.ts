import { EventEmitter, getEventListeners } from "node:events";

type Target = EventEmitter | EventTarget;

const adding = ["on", "addListener", "prependListener"] as const;

/** Counts the listeners that this process adds to emitters and event targets. */
export class ListenerWatch implements Disposable {
  /** Weak references: a collected object no longer has listeners. */
  readonly #targets = new Set<WeakRef<Target>>();
  readonly #known = new WeakSet<Target>();
  readonly #gone = new FinalizationRegistry<WeakRef<Target>>((target) => this.#targets.delete(target));
  /** Event names that were used with event targets, because an event target does not list them. */
  readonly #names = new Set<string>();
  readonly #restore: readonly (() => void)[];

  constructor() {
    const know = (target: Target): void => this.#know(target);
    const name = (type: string): void => void this.#names.add(type);
    this.#restore = [...adding.map((method) => watchEmitters(method, know)), watchTargets(know, name)];
  }

  /** Returns the number of listeners on objects that still exist, by kind of object. */
  count(): Readonly<Record<string, number>> {
    const counts: Record<string, number> = {};
    for (const held of this.#targets) {
      const target = held.deref();
      const listeners = target === undefined ? 0 : this.#listenersOf(target);
      if (target === undefined || listeners === 0) continue;
      const kind = `listener of ${target.constructor.name}`;
      counts[kind] = (counts[kind] ?? 0) + listeners;
    }
    return counts;
  }

  [Symbol.dispose](): void {
    for (const restore of this.#restore) restore();
  }

  #know(target: Target): void {
    if (this.#known.has(target)) return;
    this.#known.add(target);
    const held = new WeakRef(target);
    this.#targets.add(held);
    this.#gone.register(target, held);
  }

  #listenersOf(target: Target): number {
    if (target instanceof EventTarget)
      return [...this.#names].reduce((sum, name) => sum + getEventListeners(target, name).length, 0);
    return target.eventNames().reduce((sum, name) => sum + target.listenerCount(name), 0);
  }
}

/** @returns a function that removes the watch */
function watchEmitters(method: (typeof adding)[number], know: (target: Target) => void): () => void {
  const { prototype } = EventEmitter;
  const original = Reflect.get(prototype, method);
  prototype[method] = function (this: EventEmitter, ...listener): EventEmitter {
    know(this);
    return original.apply(this, listener);
  };
  return () => void (prototype[method] = original);
}

/** @returns a function that removes the watch */
function watchTargets(know: (target: Target) => void, name: (type: string) => void): () => void {
  const { prototype } = EventTarget;
  const original = Reflect.get(prototype, "addEventListener");
  prototype.addEventListener = function (this: EventTarget, ...listener): void {
    know(this);
    name(listener[0]);
    original.apply(this, listener);
  };
  return () => void (prototype.addEventListener = original);
}
