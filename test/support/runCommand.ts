import { spawn } from "node:child_process";

/**
 * Runs a program to its end with its output shown, standard input closed.
 * Resolves to the exit code; 1 when a signal ended it.
 */
export function runCommand(
  command: string,
  commandArguments: readonly string[],
  options: { readonly folder?: string; readonly environment?: NodeJS.ProcessEnv } = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, commandArguments, {
      cwd: options.folder,
      env: options.environment ?? process.env,
      stdio: ["ignore", "inherit", "inherit"],
    });
    const endWithThisProcess = () => child.kill("SIGKILL");
    process.once("exit", endWithThisProcess);
    child.once("error", reject);
    child.once("exit", (code) => {
      process.off("exit", endWithThisProcess);
      resolve(code ?? 1);
    });
  });
}

/** As `runCommand`, but a code other than 0 is an error. */
export async function requireCommand(
  command: string,
  commandArguments: readonly string[],
  options: { readonly folder?: string; readonly environment?: NodeJS.ProcessEnv } = {},
): Promise<void> {
  const code = await runCommand(command, commandArguments, options);
  if (code !== 0) throw new Error(`${command} ${commandArguments.join(" ")} ended with ${code}`);
}
