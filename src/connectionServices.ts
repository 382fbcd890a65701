import type { Connection } from "./connection/setup/connection.ts";
import type { ApiKeyStore } from "./editor/key/apiKeyStore.ts";
import { CheckConsents } from "./editor/check/checkConsents.ts";
import { CheckRuns } from "./editor/check/checkRuns.ts";
import type { Clients } from "./editor/service/clients.ts";
import { checkCommands } from "./editor/check/checkCommands.ts";
import type { CommandGroup, CommandTable } from "./editor/shared/commandGroups.ts";
import { compatibilityCommands } from "./editor/check/compatibilityCommands.ts";
import { connectionCommands } from "./editor/connections/connectionCommands.ts";
import { exposedKeyCommands } from "./editor/exposedKeys/exposedKeyCommands.ts";
import { modelCommands } from "./editor/models/modelCommands.ts";
import type { CompatibilityStore } from "./editor/service/compatibilityStore.ts";
import { ConnectionEditing } from "./editor/connections/connectionEditing.ts";
import { namesInSettings } from "./editor/workspace/connectionEntries.ts";
import { ConnectionTerms } from "./editor/connections/editConnection.ts";
import { ConnectLinks } from "./editor/connections/connectLinks.ts";
import { type ExtensionCalls, extensionCalls } from "./editor/extensionApi/extensionCalls.ts";
import type { ExposedKeyDiagnostics } from "./editor/exposedKeys/exposedKeyDiagnostics.ts";
import type { ModelCatalog } from "./editor/models/modelCatalog.ts";
import { ReportPanels } from "./editor/check/reportPanel.ts";
import type { RequestLog } from "./editor/service/requestLog.ts";
import type { SearchedKeys } from "./editor/service/searchedKeys.ts";
import { SupportReports } from "./editor/check/supportReports.ts";
import { UnusedKeys } from "./editor/key/unusedKeys.ts";
import type { Foundation } from "./foundation.ts";

export interface ConnectionServicesOptions extends Foundation {
  readonly keys: ApiKeyStore;
  readonly clients: Clients;
  readonly catalog: ModelCatalog;
  readonly compatibility: CompatibilityStore;
  readonly log: RequestLog;
  readonly searchedKeys: SearchedKeys;
  readonly exposed: ExposedKeyDiagnostics;
  readonly extensionVersion: string;
  /** Hears of each check that has passed. */
  readonly onPassed: () => void;
}

export type ConnectionServices = {
  readonly [
    Name in Extract<CommandGroup, "connection" | "check" | "compatibility" | "model" | "exposedKey">
  ]: CommandTable<Name>;
} & {
  /** Links that propose a connection. */
  readonly links: ConnectLinks;
  readonly calls: ExtensionCalls;
};

/** What is done to connections, their keys and models, apart from talking: built with the first such command. */
export function composeConnectionServices(options: ConnectionServicesOptions): ConnectionServices {
  const { context, globalState, connections, health, register, keys, clients, catalog, searchedKeys } =
    options;
  const { compatibility, log, exposed, extensionVersion, onPassed } = options;
  const pages = register(new ReportPanels(context.extensionUri));
  const consents = register(new CheckConsents(globalState, connections));
  const runs = new CheckRuns({ connections, keys, clients, catalog, health, consents, pages, onPassed });
  const reports = register(
    new SupportReports({ connections, clients, runs, log, searchedKeys, extensionVersion }),
  );
  const editing = new ConnectionEditing(connections, keys);
  const unused = new UnusedKeys(keys, globalState, namesInSettings);
  const terms = new ConnectionTerms({ connections, keys, editing });
  const check = async (connection: Connection, signal: AbortSignal) =>
    (await runs.run(connection, true, signal)).result;
  return {
    connection: connectionCommands({ connections, keys, unused, editing, terms }),
    check: checkCommands(connections, runs, reports),
    compatibility: compatibilityCommands({ connections, keys, clients, health, compatibility, pages }),
    model: modelCommands({ connections, catalog, clients }),
    links: new ConnectLinks({ connections, editing, searchedKeys }),
    calls: extensionCalls({ connections, catalog, clients, consents, runs }),
    exposedKey: exposedKeyCommands({ connections, editing, searchedKeys, exposed, check }),
  };
}
