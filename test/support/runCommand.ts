import { spawn } from "node:child_process";

/**
 * Runs a program to its end and shows its output; standard input is closed. Resolves with the exit code, or with 1
 * if a signal ended the program.
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

/** Like `runCommand`, but rejects if the exit code is not 0. */
export async function requireCommand(
  command: string,
  commandArguments: readonly string[],
  options: { readonly folder?: string; readonly environment?: NodeJS.ProcessEnv } = {},
): Promise<void> {
  const code = await runCommand(command, commandArguments, options);
  if (code !== 0) throw new Error(`${command} ${commandArguments.join(" ")} ended with ${code}`);
}
