import { cpus, release, totalmem, type } from "node:os";

/** What the figures depend on, in sentences. */
export function machineFacts(): readonly string[] {
  const processors = cpus();
  return [
    `Measured on ${new Date().toISOString().slice(0, 10)}.`,
    `${processors.length} processors (${processors[0]?.model ?? "unknown"}), ${Math.round(totalmem() / 1e9)} GB of memory.`,
    `${type()} ${release()}, Node ${process.version}.`,
  ];
}
