/** Runs in the extension host and answers the bench, over a socket on loopback. */
import { connect } from "node:net";
import { createInterface } from "node:readline";
import * as v from "valibot";
import type * as vscode from "vscode";
import { calls } from "./calls.ts";
import { portVariable, questionSchema } from "./contract.ts";
import { registerEmptyView } from "./emptyView.ts";
import { registerMemoryModel } from "./memoryModel.ts";

/** Milliseconds after which the editor goes on without waiting any longer. */
const longestHold = 10_000;

/**
 * Holds the editor's start until the bench lets it go on: extensions that begin behind the start wait for
 * those that, like this one, begin with it.
 */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const port = Number(process.env[portVariable]);
  if (Number.isNaN(port)) return;
  context.subscriptions.push(registerEmptyView(), registerMemoryModel());
  const released = Promise.withResolvers<void>();
  const socket = connect(port, "127.0.0.1");
  context.subscriptions.push({ dispose: () => socket.destroy() });
  socket.on("error", () => released.resolve());
  createInterface({ input: socket }).on("line", (line) => {
    const question = v.parse(questionSchema, JSON.parse(line));
    const say = (reply: object): void => {
      socket.write(`${JSON.stringify({ id: question.id, ...reply })}\n`);
    };
    answer(question.call, question.input, () => released.resolve()).then(
      (result) => say({ result }),
      (error: unknown) => say({ error: error instanceof Error ? error.stack : String(error) }),
    );
  });
  const limit = setTimeout(() => released.resolve(), longestHold);
  await released.promise;
  clearTimeout(limit);
}

async function answer(name: string, input: unknown, release: () => void): Promise<unknown> {
  if (name === "goOn") {
    release();
    return null;
  }
  const call = calls.get(name);
  if (call === undefined) throw new Error(`The probe knows no ${name}`);
  return (await call(input)) ?? null;
}
