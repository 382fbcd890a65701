import * as vscode from "vscode";

/** Resolves with the first result of `find`, which runs at once and on each of these events. */
export function untilFound<Found>(
  find: () => Found | undefined,
  ...events: readonly vscode.Event<unknown>[]
): Promise<Found> {
  const present = find();
  if (present !== undefined) return Promise.resolve(present);
  return new Promise((resolve) => {
    const look = (): void => {
      const found = find();
      if (found === undefined) return;
      listening.dispose();
      resolve(found);
    };
    const listening = vscode.Disposable.from(...events.map((event) => event(look)));
  });
}
