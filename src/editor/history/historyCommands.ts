import { commandIds } from "../../contributions.ts";
import type { HistoryActionsOptions } from "./historyActions.ts";
import type { CommandTable } from "../shared/commandGroups.ts";

const load = () => import("./historyActions.ts");

/** The chats of before: found, opened, named, thrown away, taken out and brought in. */
export function historyCommands(options: HistoryActionsOptions): CommandTable<"history"> {
  return {
    [commandIds.showHistory]: async (place) => {
      // Side by side, since the list waits for both.
      const [actions] = await Promise.all([load(), options.loadStore()]);
      await actions.showHistory(options, place);
    },
    [commandIds.exportChat]: async () => (await load()).exportChat(options),
    [commandIds.importChat]: async () => (await load()).importChat(options),
    [commandIds.deleteAllChats]: async () => (await load()).deleteAllChats(options),
  };
}
