/** Milliseconds of the processor that this process has taken for `run`: what else the machine does is not counted. */
export function processorTime(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
