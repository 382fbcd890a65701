import type { Cause } from "../../../../src/client/failure/cause.ts";

/** An answer as a server of its kind words it, in our own words and figures. */
export interface ErrorVariant {
  readonly from: string;
  readonly status: number;
  /** Sent as JSON where it is not a text. */
  readonly body: unknown;
  /** Any of these is right; the first one is meant. */
  readonly causes: readonly Cause[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** One line of a table of variants. */
export type ErrorRow = readonly [
  status: number,
  body: unknown,
  cause: Cause,
  ...alsoPossible: readonly Cause[],
];

export function variantsOf(from: string, rows: readonly ErrorRow[]): readonly ErrorVariant[] {
  return rows.map(([status, body, ...causes]) => ({ from, status, body, causes }));
}

/** An error of the chat-completions style. */
export function chatError(message: string, type?: string, code?: string | number | null): unknown {
  return { error: { message, type: type ?? "invalid_request_error", param: null, code: code ?? null } };
}

/** An error of the messages style. */
export function messagesError(type: string, message: string): unknown {
  return { type: "error", error: { type, message }, request_id: "req_00000000a1" };
}
