import type * as vscode from "vscode";

/** An in-memory `Memento` that stores values as JSON, like VS Code. */
export function createMemento(): vscode.Memento {
  const values = new Map<string, string>();
  return {
    keys: () => [...values.keys()],
    get<T>(key: string, defaultValue?: T): T | undefined {
      const text = values.get(key);
      const value: T | undefined = text === undefined ? defaultValue : JSON.parse(text);
      return value;
    },
    update: (key: string, value: unknown) => {
      if (value === undefined) values.delete(key);
      else values.set(key, JSON.stringify(value));
      return Promise.resolve();
    },
  };
}
