export function median(values: readonly number[]): number {
  return percentile(values, 50);
}

/** Returns the smallest value that at least `percent` % of the values do not exceed; NaN if there are no values. */
export function percentile(values: readonly number[], percent: number): number {
  const ordered = values.toSorted((one, other) => one - other);
  const index = Math.ceil((percent / 100) * ordered.length) - 1;
  return ordered[Math.max(0, index)] ?? Number.NaN;
}
