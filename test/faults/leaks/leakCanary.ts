import { fakeKey } from "../../unit/service/fixture.ts";

/** Stands nowhere as a whole but in the memory of what uses it. */
export const leakCanary = fakeKey(["canary", "7d03", "b1f9e2a4"].join("-"));

/** Names the file with the addresses that were called. */
export const addressesFile = "addresses.json";
