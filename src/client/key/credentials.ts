import type { ApiKey, RequestSecrets } from "./apiKey.ts";

/** A further header of each request. A secret value is sealed like the key. */
export type RequestHeader =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly secret: ApiKey; readonly scheme?: string };

/** The key of a connection with its further headers. */
export class Credentials implements RequestSecrets {
  readonly #key: ApiKey;
  readonly #headers: readonly RequestHeader[];

  constructor(key: ApiKey, headers: readonly RequestHeader[]) {
    this.#key = key;
    this.#headers = headers;
  }

  headersFor(url: URL): Readonly<Record<string, string>> {
    const own = this.#key.headersFor(url);
    const further = this.#headers.map((header): [string, string] => {
      const name = header.name.toLowerCase();
      if ("value" in header) return [name, header.value];
      const value = header.secret.valueFor(url);
      return [name, header.scheme === undefined ? value : `${header.scheme} ${value}`];
    });
    return { ...Object.fromEntries(further), ...own };
  }

  redactServiceText(text: string): string {
    const secrets = this.#headers.flatMap((header) => ("secret" in header ? [header.secret] : []));
    return [this.#key, ...secrets].reduce((rest, secret) => secret.redactServiceText(rest), text);
  }
}
