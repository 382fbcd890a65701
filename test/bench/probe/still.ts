import { setTimeout as wait } from "node:timers/promises";

/** Milliseconds between two checks, and milliseconds of processor time in between that still count as idle. */
const [pause, unrest] = [100, 4];
const mostLooks = 60;

/** Resolves when the host is almost idle, or after 60 checks. Collects no garbage. */
export async function becomesStill(): Promise<void> {
  let last = busyTime();
  for (let looks = 0, still = 0; still < 3 && looks < mostLooks; looks += 1) {
    await wait(pause);
    const now = busyTime();
    still = now - last < unrest ? still + 1 : 0;
    last = now;
  }
}

/** Milliseconds of processor time since the host began. */
function busyTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
