import { fakeKey } from "../../unit/service/fixture.ts";

/** No file contains the whole key; it exists only in memory. */
export const leakCanary = fakeKey(["canary", "7d03", "b1f9e2a4"].join("-"));

/** Name of the file that lists the addresses of all connections. */
export const addressesFile = "addresses.json";
