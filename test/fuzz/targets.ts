import type { FuzzTarget } from "./fuzzTarget.ts";
import { homeTargets } from "./homeTargets.ts";
import { reportTargets } from "./reportTargets.ts";
import { settingTargets } from "./settingTargets.ts";
import { wireTargets } from "./wireTargets.ts";

export const fuzzTargets: readonly FuzzTarget[] = [
  ...wireTargets,
  ...homeTargets,
  ...reportTargets,
  ...settingTargets,
];
