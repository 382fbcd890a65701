import * as v from "valibot";
import * as vscode from "vscode";
import { writeEntries } from "../../host/testConnections.ts";
import { collectGarbage } from "../../support/collectGarbage.ts";
import { becomesCalm, heapInUse } from "./heap.ts";
import { askModel } from "./askModel.ts";
import { takeRequests, timeToRead, watchRequests } from "./requests.ts";
import { becomesStill } from "./still.ts";

const activateInput = v.object({ extensions: v.array(v.string()) });
const startInput = v.object({ extension: v.string() });
const runInput = v.object({ command: v.string(), arguments: v.optional(v.array(v.unknown()), []) });
const beginInput = v.object({ command: v.string() });
const listInput = v.object({ labels: v.array(v.string()) });
const connectionsInput = v.object({ connections: v.array(v.looseObject({})) });
const portInput = v.object({ port: v.number() });
const fileInput = v.object({ path: v.string() });
const modelInput = v.object({ vendor: v.string(), id: v.string(), parts: v.number() });

type Call = (input: unknown) => Promise<unknown>;

export const calls: ReadonlyMap<string, Call> = new Map<string, Call>([
  ["activate", async (input) => activateAll(v.parse(activateInput, input).extensions)],
  ["start", async (input) => void (await find(v.parse(startInput, input).extension).activate())],
  [
    "heap",
    async () => {
      await becomesCalm();
      return heapInUse();
    },
  ],
  ["still", becomesStill],
  [
    "run",
    async (input) => {
      const { command, arguments: values } = v.parse(runInput, input);
      await vscode.commands.executeCommand(command, ...values);
    },
  ],
  ["begin", async (input) => void vscode.commands.executeCommand(v.parse(beginInput, input).command)],
  ["showList", async (input) => showList(v.parse(listInput, input).labels)],
  ["writeConnections", async (input) => writeEntries(v.parse(connectionsInput, input).connections)],
  ["watchRequests", async (input) => watchRequests(v.parse(portInput, input).port)],
  ["takeRequests", async () => takeRequests()],
  ["readFile", async (input) => timeToRead(v.parse(fileInput, input).path)],
  ["askModel", async (input) => askModel(v.parse(modelInput, input))],
]);

/** Shows a minimal list with three buttons in each row. */
function showList(labels: readonly string[]): void {
  const picker = vscode.window.createQuickPick();
  const buttons = ["edit", "pin", "trash"].map((name) => ({ iconPath: new vscode.ThemeIcon(name) }));
  picker.items = labels.map((label) => ({ label, description: "Work · 12:00", buttons }));
  picker.onDidAccept(() => picker.hide());
  picker.onDidHide(() => picker.dispose());
  picker.show();
}

async function activateAll(extensions: readonly string[]): Promise<readonly number[]> {
  await becomesCalm();
  const times: number[] = [];
  for (const id of extensions) {
    const extension = find(id);
    if (extension.isActive) throw new Error(`${id} was active before it was measured`);
    // Collects garbage now, so that the next activation doesn't have to.
    collectGarbage();
    const start = performance.now();
    await extension.activate();
    times.push(performance.now() - start);
  }
  return times;
}

function find(id: string): vscode.Extension<unknown> {
  const extension = vscode.extensions.getExtension<unknown>(id);
  if (extension === undefined) throw new Error(`${id} is not installed`);
  return extension;
}
