import type { ContextOffer } from "../../chat/page/protocol.ts";

/**
 * What is shown once more is known of the same search: the rows down to the active one stay where they
 * are, so that Enter takes what its user has seen; the better order begins behind them.
 */
export function steadyOffers(
  shown: readonly ContextOffer[],
  active: number,
  found: readonly ContextOffer[],
): readonly ContextOffer[] {
  const kept = shown.slice(0, active + 1);
  const ids = new Set(kept.map(({ id }) => id));
  return [...kept, ...found.filter(({ id }) => !ids.has(id))];
}
