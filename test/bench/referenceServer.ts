/** The reference service in a process of its own. */
import { startReferenceService } from "../service/serve.ts";
import { fakeKey } from "../unit/service/fixture.ts";

const service = await startReferenceService();
service.keys.add({}, fakeKey("bench"));
process.send?.({ port: Number(new URL(service.origin).port) });
