/** What using a prompt takes, in one piece; to offer one takes none of it. */
export { gatherSelected, gatherSubject } from "./promptSubject.ts";
export { usePromptFile } from "./usePromptFile.ts";
