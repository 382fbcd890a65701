import type { Cause } from "../../../../src/client/failure/cause.ts";
import type { Fault } from "../fault.ts";
import { headOf, sendAnswer, sizedHead } from "../rawAnswers.ts";

/** Error statuses without a body, and the cause of each (wire.md, "Conditions"). */
const bareStatuses: readonly (readonly [number, Cause])[] = [
  [400, "bad-request"],
  [401, "invalid-key"],
  [402, "budget-exhausted"],
  [403, "unknown"],
  [404, "wrong-path"],
  [405, "wrong-path"],
  [406, "bad-request"],
  [407, "proxy"],
  [408, "timeout"],
  [409, "bad-request"],
  [410, "wrong-path"],
  [411, "bad-request"],
  [412, "bad-request"],
  [413, "bad-request"],
  [414, "bad-request"],
  [415, "bad-request"],
  [418, "bad-request"],
  [421, "wrong-host"],
  [422, "bad-request"],
  [424, "server-error"],
  [425, "bad-request"],
  [426, "bad-request"],
  [428, "bad-request"],
  [429, "rate-limited"],
  [431, "bad-request"],
  [446, "content-filtered"],
  [451, "unknown"],
  [500, "server-error"],
  [501, "server-error"],
  [502, "server-error"],
  [503, "overloaded"],
  [504, "timeout"],
  [505, "server-error"],
  [507, "server-error"],
  [511, "server-error"],
  [520, "server-error"],
  [521, "server-error"],
  [522, "timeout"],
  [523, "server-error"],
  [524, "timeout"],
  [525, "server-error"],
  [526, "server-error"],
  [529, "overloaded"],
  [530, "server-error"],
  [599, "server-error"],
  [999, "server-error"],
];

/** Error statuses with a body, and the cause of each. */
const toldStatuses: readonly (readonly [number, string, Cause])[] = [
  [401, '{"error":{"message":"You didn\'t provide an API key."}}', "empty-key"],
  [401, '{"error":{"message":"Expired Key","code":"expired_key"}}', "expired-key"],
  [401, '{"error":{"message":"Key is blocked","type":"auth_error"}}', "revoked-key"],
  [
    429,
    '{"error":{"code":"insufficient_quota","message":"exceeded your current quota"}}',
    "budget-exhausted",
  ],
  [
    403,
    '{"error":{"type":"key_model_access_denied","message":"not allowed to access model"}}',
    "model-not-allowed",
  ],
  [404, '{"error":{"code":"model_not_found","message":"The model x does not exist"}}', "model-not-found"],
  [400, '{"error":{"code":"context_length_exceeded","message":"maximum context length"}}', "context-length"],
  [413, '{"error":{"type":"rate_limit_exceeded","message":"over available TPM"}}', "rate-limited"],
  [500, '{"error":{"type":"overloaded_error","message":"Overloaded"}}', "overloaded"],
  [500, 'event: error\ndata: {"error":{"type":"overloaded_error","message":"Overloaded"}}\n\n', "overloaded"],
  [400, '{"error":{"message":"The request was blocked","code":"content_filter"}}', "content-filtered"],
  [403, "<!doctype html><title>Sign in</title><p>Sign in", "not-an-api"],
  [404, "<html><h1>404 Not Found</h1></html>", "not-an-api"],
  [502, "<html><h1>502 Bad Gateway</h1></html>", "server-error"],
  [400, "[".repeat(30_000), "bad-request"],
  [500, `{"error":${'{"error":'.repeat(5000)}1${"}".repeat(5001)}`, "server-error"],
];

/** Redirects must not be followed: the key is for one origin, and a POST could become a GET. */
function redirect(name: string, status: number, location: string | undefined, ends: Cause): Fault {
  return {
    name,
    ends,
    keepsLine: true,
    answer: (line) => sendAnswer(line, status, "", location === undefined ? {} : { location }),
  };
}

const elsewhere = "https://elsewhere.example/v1";

export const statuses: readonly Fault[] = [
  ...bareStatuses.map(([status, ends]): Fault => ({
    name: `status ${status} without a body`,
    ends,
    keepsLine: true,
    answer: (line) => sendAnswer(line, status, ""),
  })),
  ...toldStatuses.map(([status, content, ends]): Fault => ({
    name: `status ${status} with ${content.slice(0, 60)}`,
    ends,
    keepsLine: true,
    answer: (line) => sendAnswer(line, status, content),
  })),
  redirect("a redirect within the origin", 301, "/v2/elsewhere", "wrong-path"),
  redirect("a redirect to another origin", 302, elsewhere, "wrong-host"),
  redirect("a redirect with See Other", 303, elsewhere, "wrong-host"),
  redirect("a redirect that keeps the method", 307, elsewhere, "wrong-host"),
  redirect("a permanent redirect", 308, elsewhere, "wrong-host"),
  redirect("a redirect to itself", 307, "", "wrong-path"),
  redirect("a redirect without a location", 302, undefined, "wrong-host"),
  redirect("a redirect to an invalid URL", 302, "http://[", "wrong-host"),
  redirect("a redirect to another port", 302, "http://127.0.0.1:1/v1", "wrong-host"),
  redirect("multiple choices", 300, undefined, "wrong-host"),
  redirect("not modified", 304, undefined, "wrong-host"),
  {
    name: "status 204",
    ends: "not-an-api",
    keepsLine: true,
    answer: (line) => line.send(headOf("204 No Content")),
  },
  {
    name: "status 205",
    ends: "not-an-api",
    keepsLine: true,
    answer: (line) => line.send(headOf("205 Reset Content", { "content-length": 0 })),
  },
  {
    name: "status 206 with the whole answer",
    ends: "works",
    keepsLine: true,
    answer: async (line, { body }) => {
      await line.send(sizedHead(body).replace("200 OK", "206 Partial Content"));
      await line.send(body.bytes);
    },
  },
  {
    name: "Early Hints and Processing before the answer",
    ends: "works",
    keepsLine: true,
    answer: async (line, { body }) => {
      await line.send(headOf("103 Early Hints", { link: "</a>" }));
      await line.send(headOf("102 Processing"));
      await line.send(sizedHead(body));
      await line.send(body.bytes);
    },
  },
  ...(["ours", "fetch"] as const).map((way): Fault => ({
    name: `an unrequested 100 Continue before the answer (${way})`,
    way,
    ends: way === "ours" ? "works" : "server-error",
    keepsLine: way === "ours",
    answer: async (line, { body }) => {
      await line.send(headOf("100 Continue"));
      await line.send(sizedHead(body));
      await line.send(body.bytes);
    },
  })),
  {
    name: "an unrequested change of protocol",
    ends: "server-error",
    answer: (line) => line.send(headOf("101 Switching Protocols", { connection: "upgrade", upgrade: "h2c" })),
  },
  {
    name: "an error status whose body is corrupt gzip",
    ends: "overloaded",
    keepsLine: true,
    answer: (line) => sendAnswer(line, 529, "no gzip", { "content-encoding": "gzip" }),
  },
  {
    name: "an error status whose body breaks off",
    ends: "rate-limited",
    answer: async (line, { bodyRead }) => {
      await line.send(headOf(429, { "content-length": 1000 }));
      await line.send('{"error":{"mess');
      await bodyRead;
      line.reset();
    },
  },
];
