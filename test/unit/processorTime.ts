/** Returns the CPU time of this process during `run`, in milliseconds. Other processes don't count. */
export function processorTime(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
