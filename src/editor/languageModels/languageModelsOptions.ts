import type { ApiKeyStore } from "../apiKeyStore.ts";
import type { Spending } from "../chat/spending.ts";
import type { TokenCaps } from "../chat/tokenCaps.ts";
import type { Clients } from "../clients.ts";
import type { CompatibilityStore } from "../compatibilityStore.ts";
import type { ConnectionHealth } from "../connectionHealth.ts";
import type { ModelRooms } from "../context/modelRooms.ts";
import type { ModelCatalog } from "../modelCatalog.ts";
import type { OutgoingTexts } from "../outgoingTexts.ts";
import type { RequestLog } from "../requestLog.ts";
import type { WorkspaceConnections } from "../workspaceConnections.ts";

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
