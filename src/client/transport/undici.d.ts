/**
 * Modules of undici by path. Its index would also load fetch, caches and mocks. On import, the index also sets globals
 * that all extensions in the host share.
 */
declare module "undici/lib/core/connect.js" {
  import type { buildConnector } from "undici";
  const build: typeof buildConnector;
  export default build;
}

declare module "undici/lib/dispatcher/pool.js" {
  import type { Pool } from "undici";
  const constructor: typeof Pool;
  export default constructor;
}

declare module "undici/lib/dispatcher/proxy-agent.js" {
  import type { buildConnector, Dispatcher } from "undici";
  type Factory = (origin: URL, options: { readonly connect: buildConnector.connector }) => Dispatcher;
  const constructor: new (options: {
    readonly uri: string;
    readonly token?: string;
    readonly proxyTls: buildConnector.BuildOptions;
    readonly requestTls: buildConnector.BuildOptions;
    readonly clientFactory: Factory;
    readonly factory: Factory;
  }) => Dispatcher;
  export default constructor;
}

declare module "undici/lib/api/api-request.js" {
  import type { Dispatcher } from "undici";
  function request(this: Dispatcher, options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData>;
  export default request;
}

declare module "undici/lib/api/api-connect.js" {
  import type { Dispatcher } from "undici";
  function connect(this: Dispatcher, options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData>;
  export default connect;
}
