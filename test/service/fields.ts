import {
  array,
  integer,
  literal,
  looseObject,
  minValue,
  number,
  pipe,
  string,
  transform,
  union,
} from "valibot";

/** A cap on generated tokens: 1 is valid (specification, section 4.2), no upper bound is known. */
export const tokenCap = pipe(
  number(),
  integer("a whole number is needed"),
  minValue(1, "a number of 1 or more is needed"),
);

/** The text of a message, given as it is or as a list of text parts. */
export const textContent = union([
  string(),
  pipe(
    array(looseObject({ type: literal("text"), text: string() })),
    transform((parts) => parts.map(({ text }) => text).join("\n")),
  ),
]);
