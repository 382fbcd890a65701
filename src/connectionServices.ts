import type { Connection } from "./connection/setup/connection.ts";
import type { ApiKeyStore } from "./editor/apiKeyStore.ts";
import { CheckConsents } from "./editor/checkConsents.ts";
import { CheckRuns } from "./editor/checkRuns.ts";
import type { Clients } from "./editor/clients.ts";
import { checkCommands } from "./editor/commands/checkCommands.ts";
import type { CommandGroup, CommandTable } from "./editor/commands/commandGroups.ts";
import { compatibilityCommands } from "./editor/commands/compatibilityCommands.ts";
import { connectionCommands } from "./editor/commands/connectionCommands.ts";
import { exposedKeyCommands } from "./editor/commands/exposedKeyCommands.ts";
import { modelCommands } from "./editor/commands/modelCommands.ts";
import type { CompatibilityStore } from "./editor/compatibilityStore.ts";
import { ConnectionEditing } from "./editor/connectionEditing.ts";
import { namesInSettings } from "./editor/connectionEntries.ts";
import { ConnectionTerms } from "./editor/connectionTerms.ts";
import { ConnectLinks } from "./editor/connectLinks.ts";
import { type ExtensionCalls, extensionCalls } from "./editor/extensionCalls.ts";
import type { ExposedKeyDiagnostics } from "./editor/exposedKeyDiagnostics.ts";
import type { ModelCatalog } from "./editor/modelCatalog.ts";
import { ReportPanels } from "./editor/reportPanel.ts";
import type { RequestLog } from "./editor/requestLog.ts";
import type { SearchedKeys } from "./editor/searchedKeys.ts";
import { SupportReports } from "./editor/supportReports.ts";
import { UnusedKeys } from "./editor/unusedKeys.ts";
import type { Foundation } from "./services.ts";

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
  const { context, globalState, connections, health, own, keys, clients, catalog, searchedKeys } = options;
  const { compatibility, log, exposed, extensionVersion, onPassed } = options;
  const pages = own(new ReportPanels(context.extensionUri));
  const consents = own(new CheckConsents(globalState, connections));
  const runs = new CheckRuns({ connections, keys, clients, catalog, health, consents, pages, onPassed });
  const reports = own(
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
