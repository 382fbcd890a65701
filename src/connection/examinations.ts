/** What finds out about a connection and puts it on a page, in one piece, since it is asked for together. */
export { compatibilityActions, compatibilityJson, compatibilityReport } from "./compatibilityReport.ts";
export { verifyCompatibility } from "./compatibilityVerification.ts";
export { checkConnection } from "./connectionCheck.ts";
export { probes } from "./probes.ts";
export { probeExplanation, probeTitle } from "./probeWords.ts";
export { reportMarkdown } from "./reportMarkdown.ts";
export { formatSupportReport } from "./supportReport.ts";
