// Sets the same seed in every run: one commit tries the same cases everywhere, so that a failed run can be repeated.
import fc from "fast-check";

fc.configureGlobal({ seed: 20_261_121 });
