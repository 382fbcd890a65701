import type { QuestionToCount } from "../../chat/session/spentTokens.ts";
import { requireConnection } from "../workspace/chooseConnection.ts";
import type { WorkspaceConnections } from "../workspace/workspaceConnections.ts";
import type { Chat } from "./chat.ts";
import { mayGoTo } from "./chatConsent.ts";
import type { TokenCaps } from "./tokenCaps.ts";

export interface QuestionTargetOptions {
  readonly connections: WorkspaceConnections;
  readonly caps: TokenCaps;
}

/**
 * The chat in which the question may be asked of this workspace's connection: the one it was typed in, or
 * a new one, not on the screen yet, where the user wants that. Undefined where it may not be asked.
 */
export async function chooseTarget(
  { connections, caps }: QuestionTargetOptions,
  origin: Chat,
  question: QuestionToCount,
  newChat: () => Chat,
): Promise<Chat | undefined> {
  const connection = await requireConnection(connections);
  if (connection === undefined) return undefined;
  const consent = await mayGoTo(connection, origin.session.transcript);
  if (consent === "no") return undefined;
  const target = consent === "in-new-chat" ? newChat() : origin;
  const answer = await caps.mayAsk(target.id, target.session.transcript, connection, question);
  // What was allowed was allowed to go there, and nowhere else.
  if (answer === "no" || connections.current?.name !== connection.name) return undefined;
  return answer === "in-new-chat" && target === origin ? newChat() : target;
}
