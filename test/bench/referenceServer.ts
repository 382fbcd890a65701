/** Runs the reference service in its own process. */
import { startReferenceService } from "../service/serve.ts";
import { benchKey } from "./benchKey.ts";

const service = await startReferenceService();
service.keys.add({}, benchKey);
process.send?.({ port: Number(new URL(service.origin).port) });
