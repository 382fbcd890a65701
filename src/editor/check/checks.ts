import * as v from "valibot";
import type * as vscode from "vscode";
import { probeIds } from "../../connection/compatibility/compatibility.ts";
import { clientStyles } from "../../protocol/conversation/wireStyle.ts";
import { commandIds } from "../../contributions.ts";
import { isScriptArgument, register } from "../shared/registration.ts";
import { connectionForScript, namedOrRequiredConnection } from "../workspace/chooseConnection.ts";
import { CheckConsents } from "./checkConsents.ts";
import { CheckRuns } from "./checkRuns.ts";
import { CompatibilityCommands } from "./compatibilityCommands.ts";
import type { CheckNeeds, Checks } from "./registerCheck.ts";
import { ReportPanels } from "./reportPanel.ts";
import { RequestsPage } from "./requestsPage.ts";
import { SupportReports } from "./supportReports.ts";

const argumentSchema = v.object({
  connection: v.optional(v.string()),
  billable: v.optional(v.boolean(), true),
});

/** The connection and model of a chat, and what to select first. */
const subjectSchema = v.object({
  connection: v.string(),
  model: v.string(),
  clientStyle: v.exactOptional(v.picklist(clientStyles)),
  probe: v.exactOptional(v.picklist(probeIds)),
});

/** Creates the connection checks: with consent and a report page for users, with plain JSON for scripts. */
export function createChecks(context: vscode.ExtensionContext, needs: CheckNeeds): Checks {
  const { connections, globalState, log } = needs;
  const pages = register(context, new ReportPanels(context.extensionUri));
  const consents = register(context, new CheckConsents(globalState, connections));
  const runs = new CheckRuns({ ...needs, consents, pages });
  const reports = register(context, new SupportReports({ ...needs, runs }));
  const requests = register(context, new RequestsPage({ ...needs, extensionUri: context.extensionUri }));
  const compatibility = new CompatibilityCommands({ ...needs, pages });
  return {
    runs,
    consents,
    check: async (connection, signal) => (await runs.run(connection, true, signal)).result,
    commands: {
      [commandIds.checkConnection]: async (argument) => {
        if (isScriptArgument(argument)) {
          const { connection: name, billable } = v.parse(argumentSchema, argument);
          const connection = connectionForScript(connections, name);
          return (await runs.run(connection, billable, new AbortController().signal)).result;
        }
        const connection = await namedOrRequiredConnection(connections, argument);
        return connection === undefined ? undefined : runs.runForPerson(connection);
      },
      [commandIds.verifyCompatibility]: (argument) => {
        const parsed = v.safeParse(subjectSchema, argument);
        return parsed.success ? compatibility.verify(parsed.output) : compatibility.verify();
      },
      [commandIds.copySupportReport]: (name) =>
        reports.show(typeof name === "string" ? connections.named(name) : connections.current),
      [commandIds.showRequests]: () => requests.show(),
      [commandIds.showLog]: () => log.show(),
    },
  };
}
