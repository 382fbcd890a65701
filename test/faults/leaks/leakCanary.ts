import { fakeKey } from "../../unit/service/fixture.ts";

/** A fake key. No file of the repository contains the whole key, because it is assembled at run time. */
export const leakCanary = fakeKey(["canary", "7d03", "b1f9e2a4"].join("-"));

/** Name of the file that lists the addresses of all connections. */
export const addressesFile = "addresses.json";
