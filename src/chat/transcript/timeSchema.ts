import * as v from "valibot";

/**
 * A day and a time, ISO 8601, that `Date` reads. The standard lets an offset go without its minutes, which `Date` does
 * not: they are added.
 */
export const timeSchema = v.pipe(
  v.string(),
  v.maxLength(40),
  v.isoTimestamp(),
  v.transform((time) => time.replace(/[+-]\d\d$/, "$&:00")),
  v.check((time) => !Number.isNaN(Date.parse(time))),
);
