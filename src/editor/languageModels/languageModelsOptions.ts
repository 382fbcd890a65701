import type { ApiKeyStore } from "../key/apiKeyStore.ts";
import type { Spending, TokenCaps } from "../chat/spending.ts";
import type { Clients } from "../service/clients.ts";
import type { CompatibilityStore } from "../service/compatibilityStore.ts";
import type { ConnectionHealth } from "../service/connectionHealth.ts";
import type { ModelRooms } from "../models/modelRooms.ts";
import type { ModelCatalog } from "../models/modelCatalog.ts";
import type { OutgoingTexts } from "../service/outgoingTexts.ts";
import type { RequestLog } from "../service/requestLog.ts";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";

/** What models for the editor's own chat, and for other extensions, are made of. */
export interface LanguageModelsOptions {
  readonly connections: WorkspaceConnections;
  readonly keys: ApiKeyStore;
  readonly clients: Clients;
  readonly catalog: ModelCatalog;
  readonly compatibility: CompatibilityStore;
  readonly rooms: ModelRooms;
  readonly health: ConnectionHealth;
  readonly outgoing: OutgoingTexts;
  readonly log: RequestLog;
  readonly spending: Spending;
  readonly caps: TokenCaps;
}
