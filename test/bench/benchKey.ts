import { fakeKey } from "../unit/service/fixture.ts";

/** As long as keys of such services are: texts that are shorter hold no key, and need not be searched. */
export const benchKey = fakeKey("bench".padEnd(40, "0"));
