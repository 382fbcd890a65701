/** What goes on in the background, in one piece, since it begins together. */
export { ConnectionNotices } from "./connectionNotices.ts";
export { ExposedKeyDiagnostics } from "./exposedKeyDiagnostics.ts";
export { FaultyExcludeNotices } from "./context/faultyExcludes.ts";
export { GitPresence } from "./commit/gitPresence.ts";
export { OrphanKeyWatch } from "./orphanKeyWatch.ts";
