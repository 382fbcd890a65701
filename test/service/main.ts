import { once } from "node:events";
import { Refusal } from "./errorAnswers.ts";
import { readCommandLine, usage, UsageError } from "./commandLine.ts";
import { startReferenceService } from "./serve.ts";

/** Runs the service until SIGINT or SIGTERM. Returns the exit status. */
async function main(): Promise<number> {
  if (process.argv.includes("--help")) {
    console.log(usage);
    return 0;
  }
  const commandLine = readCommandLine(process.argv.slice(2), process.env, Date.now());
  const service = await startReferenceService(commandLine.service);
  const key = service.keys.add(commandLine.terms, commandLine.key);
  console.log(`Reference service: ${service.origin}`);
  if (commandLine.key === undefined) {
    console.log(`Demo key, shown only here: ${key}`);
  }
  console.log("Stop with Ctrl+C.");
  await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  await service.close();
  return 0;
}

function explain(error: unknown): number {
  if (error instanceof UsageError) {
    console.error(`${error.message}\n\n${usage}`);
    return 2;
  }
  if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") {
    console.error("This port is in use. Set another one with --port, or omit --port to use a free one.");
    return 1;
  }
  if (error instanceof Refusal || error instanceof RangeError) {
    console.error(error.message);
    return 1;
  }
  throw error;
}

process.exitCode = await main().catch(explain);
