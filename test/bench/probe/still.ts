import { setTimeout as wait } from "node:timers/promises";

/** Milliseconds between two looks, and those of processor time that a host takes in them without being at work. */
const [pause, unrest] = [100, 4];
const mostLooks = 60;

/** Resolves once the host has next to nothing to do, or after some seconds in which it always had. Collects no garbage. */
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
