import * as v from "valibot";
import { commandIds } from "../../contributions.ts";
import type { CheckRuns } from "./checkRuns.ts";
import { connectionForScript, namedOrRequiredConnection } from "../workspace/chooseConnection.ts";
import type { SupportReports } from "./supportReports.ts";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";
import { type CommandTable, isScriptArgument } from "../shared/commandGroups.ts";

const argumentSchema = v.object({
  connection: v.optional(v.string()),
  billable: v.optional(v.boolean(), true),
});

/** The connection check, for people (with consent and a page) and for scripts (plain JSON); the support report. */
export function checkCommands(
  connections: WorkspaceConnections,
  runs: CheckRuns,
  supportReports: SupportReports,
): CommandTable<"check"> {
  return {
    [commandIds.checkConnection]: async (argument) => {
      if (isScriptArgument(argument)) {
        const { connection: name, billable } = v.parse(argumentSchema, argument);
        const connection = connectionForScript(connections, name);
        return (await runs.run(connection, billable, new AbortController().signal)).result;
      }
      const connection = await namedOrRequiredConnection(connections, argument);
      return connection === undefined ? undefined : runs.runForPerson(connection);
    },
    [commandIds.copySupportReport]: (name) =>
      supportReports.show(typeof name === "string" ? connections.named(name) : connections.current),
  };
}
