/** What the package holds. Where a part of a bundle has a hash in its name stands a `*`; of chunks there are as many as the bundler makes. */
export const shippedFiles: readonly string[] = [];

/** @throws where a name is not among those that are meant to ship, or one of these is missing */
export function requireShippedFiles(names: readonly string[]): void {
  const found = new Set(names.map(withoutHash));
  const meant = new Set(shippedFiles.map(withoutHash));
  const stray = [...found].filter((name) => !meant.has(name));
  if (stray.length > 0) throw new Error(`The package holds what is not meant to ship: ${stray.join(", ")}`);
  const missing = [...meant].filter((name) => !found.has(name));
  if (missing.length > 0) throw new Error(`The package lacks ${missing.join(", ")}`);
}

function withoutHash(name: string): string {
  return name.replace(/-[A-Z0-9]{8}(?=\.(?:js|br)$)/, "-*");
}
