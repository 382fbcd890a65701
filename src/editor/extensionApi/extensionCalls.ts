import * as v from "valibot";
import * as vscode from "vscode";
import { connectionForScript } from "../workspace/chooseConnection.ts";
import type { CheckedConnection, ListedModels } from "./extensionApi.ts";
import type { ExtensionCallNeeds } from "./registerExtensionApi.ts";
import { listModelsForScript } from "../models/modelPicker.ts";

const listSchema = v.optional(v.object({ connection: v.optional(v.string()) }), {});
const checkSchema = v.optional(
  v.object({ connection: v.optional(v.string()), billable: v.optional(v.boolean(), false) }),
  {},
);

/** The functions that other extensions call. Their arguments are not trusted. */
export interface ExtensionCalls {
  readonly check: (options: unknown) => Promise<CheckedConnection>;
  readonly list: (options: unknown) => Promise<ListedModels>;
}

export function extensionCalls(options: ExtensionCallNeeds): ExtensionCalls {
  return {
    check: (argument) => checkForExtension(options, argument),
    list: (argument) => listForExtension(options, argument),
  };
}

async function checkForExtension(
  { connections, consents, runs }: ExtensionCallNeeds,
  options: unknown,
): Promise<CheckedConnection> {
  const { connection: name, billable } = read(checkSchema, options);
  const connection = connectionForScript(connections, name);
  const bill = billable ? await consents.request(connection) : false;
  if (bill === undefined) {
    throw new Error(vscode.l10n.t("You chose not to check the connection '{0}'.", connection.name), {
      cause: "cancelled",
    });
  }
  const { result } = await runs.run(connection, bill, new AbortController().signal);
  return freezeCopy(result);
}

async function listForExtension(options: ExtensionCallNeeds, argument: unknown): Promise<ListedModels> {
  const { connection: name } = read(listSchema, argument);
  const connection = connectionForScript(options.connections, name);
  return freezeCopy(await listModelsForScript(options, connection));
}

function read<Schema extends v.GenericSchema>(schema: Schema, value: unknown): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, value);
  if (parsed.success) return parsed.output;
  throw new Error(vscode.l10n.t("The options of this call are invalid."), {
    cause: "bad-request",
  });
}

/** Copies and freezes a value, so that other extensions cannot change the original. */
function freezeCopy<T extends object>(value: T): T {
  return deepFreeze(structuredClone(value));
}

function deepFreeze<T extends object>(value: T): T {
  for (const member of Object.values(value)) {
    if (typeof member === "object" && member !== null) deepFreeze(member);
  }
  return Object.freeze(value);
}
