/** A pattern that only this whole text matches, or everything that starts with it. */
export function textPattern(text: string, match: "whole" | "start"): RegExp {
  const literal = text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${literal}${match === "whole" ? "$" : ""}`);
}
