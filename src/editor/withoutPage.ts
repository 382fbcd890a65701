/** What is asked of a model without a page of the chat, in one piece, since it asks and shows in the same ways. */
export { homeCommands } from "./commands/homeCommands.ts";
export { InPlaceActions } from "./inPlace/inPlaceActions.ts";
