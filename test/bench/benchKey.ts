import { fakeKey } from "../unit/service/fixture.ts";

/** As long as keys of such services: in texts shorter than the key, the product need not search for it. */
export const benchKey = fakeKey("bench".padEnd(40, "0"));
