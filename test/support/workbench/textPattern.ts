/** Returns a pattern that matches only this whole text, or every text that starts with it. */
export function textPattern(text: string, match: "whole" | "start"): RegExp {
  const literal = text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${literal}${match === "whole" ? "$" : ""}`);
}
