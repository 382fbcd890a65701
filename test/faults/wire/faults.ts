import type { Fault } from "./fault.ts";
import { breaks } from "./kinds/breaks.ts";
import { codingFaults } from "./kinds/codings.ts";
import { floods } from "./kinds/floods.ts";
import { lengths } from "./kinds/lengths.ts";
import { interceptions, proxies } from "./kinds/proxies.ts";
import { reaching, tooEarly } from "./kinds/reaching.ts";
import { slowness } from "./kinds/slowness.ts";
import { statuses } from "./kinds/statuses.ts";
import { texts } from "./kinds/texts.ts";

/** Every fault on the wire, by group. */
export const faultGroups: Readonly<Record<string, readonly Fault[]>> = {
  "name resolution, ports and TLS": reaching,
  "broken connections": breaks,
  "lengths and chunks": lengths,
  compression: codingFaults,
  "endless or very long data": floods,
  slowness,
  "statuses and redirects": statuses,
  "texts and JSON": texts,
  "answers before the end of the request": tooEarly,
  "configured proxies": proxies,
  "intercepting proxies": interceptions,
};
