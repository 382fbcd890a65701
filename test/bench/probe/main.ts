/** Runs in the extension host and answers the bench over a socket on loopback. */
import { connect } from "node:net";
import { createInterface } from "node:readline";
import * as v from "valibot";
import type * as vscode from "vscode";
import { calls } from "./calls.ts";
import { portVariable, questionSchema } from "./contract.ts";
import { registerEmptyView } from "./emptyView.ts";
import { registerMemoryModel } from "./memoryModel.ts";
import { followSockets } from "./requests.ts";

export function activate(context: vscode.ExtensionContext): void {
  const port = Number(process.env[portVariable]);
  if (Number.isNaN(port)) return;
  followSockets();
  context.subscriptions.push(registerEmptyView(), registerMemoryModel());
  const socket = connect(port, "127.0.0.1");
  context.subscriptions.push({ dispose: () => socket.destroy() });
  socket.on("error", () => undefined);
  createInterface({ input: socket }).on("line", (line) => {
    const question = v.parse(questionSchema, JSON.parse(line));
    const say = (reply: object): void => {
      socket.write(`${JSON.stringify({ id: question.id, ...reply })}\n`);
    };
    answer(question.call, question.input).then(
      (result) => say({ result }),
      (error: unknown) => say({ error: error instanceof Error ? error.stack : String(error) }),
    );
  });
}

async function answer(name: string, input: unknown): Promise<unknown> {
  const call = calls.get(name);
  if (call === undefined) throw new Error(`Unknown call: ${name}`);
  return (await call(input)) ?? null;
}
