// One request by the undici transport, in a process of its own: what a system trusts is read once.
// Arguments: URL, URL of the proxy, `system` to trust the system's store. Prints the status or failure.
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
