// Imported by what runs the unit tests: the properties of one commit try the same cases everywhere, so that
// a red run can be repeated.
import fc from "fast-check";

fc.configureGlobal({ seed: 20_261_121 });
