import { fakeKey } from "../unit/service/fixture.ts";

/** Has the length of a real key, because the cost of the search for the key depends on its length. */
export const benchKey = fakeKey("bench".padEnd(40, "0"));
