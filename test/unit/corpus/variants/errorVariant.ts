import type { Cause } from "../../../../src/client/failure/cause.ts";

/** An error in the form of a real server, with our own words and numbers. */
export interface ErrorVariant {
  readonly from: string;
  readonly status: number;
  /** Sent as JSON unless it is a string. */
  readonly body: unknown;
  /** All accepted causes, the best one first. */
  readonly causes: readonly Cause[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** One row in a table of variants. */
export type ErrorRow = readonly [
  status: number,
  body: unknown,
  cause: Cause,
  ...alsoPossible: readonly Cause[],
];

export function variantsOf(from: string, rows: readonly ErrorRow[]): readonly ErrorVariant[] {
  return rows.map(([status, body, ...causes]) => ({ from, status, body, causes }));
}

/** An error of the Chat Completions style. */
export function chatError(message: string, type?: string, code?: string | number | null): unknown {
  return { error: { message, type: type ?? "invalid_request_error", param: null, code: code ?? null } };
}

/** An error of the Messages style. */
export function messagesError(type: string, message: string): unknown {
  return { type: "error", error: { type, message }, request_id: "req_00000000a1" };
}
