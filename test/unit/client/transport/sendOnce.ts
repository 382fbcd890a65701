// Sends one request with undici in its own process, because a process reads the trusted certificates only once.
// Arguments: URL, proxy URL, `system` to trust the system's store. Prints the status or the failure as JSON.
import { toFailure } from "../../../../src/client/failure/toFailure.ts";
import { createUndiciTransport } from "../../../../src/client/transport/undiciTransport.ts";
import { getRequest, testLimits } from "../http/requests.ts";

const [url = "", proxy = "", store] = process.argv.slice(2);
const transport = createUndiciTransport({
  proxy,
  strictCertificates: true,
  systemCertificates: store === "system",
});
try {
  const { status, body } = await transport.send(getRequest(url), testLimits, new AbortController().signal);
  for await (const _piece of body);
  process.stdout.write(JSON.stringify({ status }));
} catch (error) {
  process.stdout.write(JSON.stringify(toFailure(error)));
}
await transport.close();
