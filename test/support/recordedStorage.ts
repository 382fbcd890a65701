import path from "node:path";
import { fakeKey } from "../unit/service/fixture.ts";

/** The storage of the extension after a day of use, as the version before the first release wrote it. */
export const recordingFile = path.join(import.meta.dirname, "..", "fixtures", "storage.json");

/** Environment variable with the key of the connection Beta. */
export const betaVariable = "INFERENCE_STORAGE_KEY";

/** Titles of the chats in the history. */
export const recordedTitles = [
  "Of the sea",
  "about canals /long 20000 /pace 20",
  "about windmills /long 20000 /pace 20",
  "about nobody",
];

/** The keys of the run. Both are visibly fake, and the recording has neither of them. */
export const storageKeys = { acme: fakeKey("storage-acme-77e1"), beta: fakeKey("storage-beta-90c2") };
