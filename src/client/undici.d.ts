/**
 * undici's parts by their own paths. Its index would also bring fetch, caches and mocks, and on
 * import fill process-wide slots that an extension host shares with every other extension.
 */
declare module "undici/lib/dispatcher/env-http-proxy-agent.js" {
  import type { EnvHttpProxyAgent } from "undici";
  const constructor: typeof EnvHttpProxyAgent;
  export default constructor;
}

declare module "undici/lib/api/api-request.js" {
  import type { Dispatcher } from "undici";
  function request(this: Dispatcher, options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData>;
  export default request;
}
