import assert from "node:assert/strict";
import fc from "fast-check";
import { causes } from "../../../../src/client/failure/cause.ts";
import type { Cause } from "../../../../src/client/failure/cause.ts";
import { causeOf } from "../../../../src/client/failure/causeOf.ts";
import type { Failure } from "../../../../src/client/failure/failure.ts";
import { diagnose } from "../../../../src/connection/diagnosis/diagnosis.ts";
import { readFacts } from "../../../../src/connection/diagnosis/diagnosisFacts.ts";
import { causeTable } from "../../../../src/connection/diagnosis/causeTable.ts";
import { createTranslate } from "../../../../src/text/translate.ts";
import type { ErrorBody } from "../../../../src/protocol/conversation/conversation.ts";
import { failed } from "../../../support/failed.ts";

const t = createTranslate();
const context = {
  origin: "https://h.example:8443",
  model: "service-core",
  now: new Date(2030, 0, 10).getTime(),
} as const;

const refused = (status: number, error: ErrorBody = {}): Failure => ({
  kind: "refused",
  status,
  error,
  bodyKind: "json",
});
const page = (status: number, bodyStart: string): Failure => ({
  kind: "refused",
  status,
  error: {},
  bodyKind: "html",
  bodyStart,
});

const explainStore = (store?: "failing" | "lost" | "garbled"): string =>
  diagnose(failed({ kind: "key", cause: "empty-key", ...(store && { store }) }), context, t).explanation;

describe("diagnose", () => {
  it("has a title and one or two sentences for every cause, with and without context", () => {
    const failures: readonly Failure[] = [
      refused(500),
      { kind: "cancelled" },
      { kind: "timeout", phase: "connect" },
    ];
    for (const cause of causes) {
      for (const failure of failures) {
        for (const known of [{}, context]) {
          const { title, explanation } = causeTable[cause].words(readFacts(failure, known), t);
          assert.match(title, /^[A-Z][^.]+$/);
          assert.match(explanation, /^\S.*\.$/s);
          assert.ok(
            explanation.split(/\. /).length <= 2 && !/undefined|\{\d\}/.test(explanation),
            `${cause}: ${explanation}`,
          );
        }
      }
    }
  });

  it("names both origins and the environment variable if the key belongs to another origin", () => {
    const failure: Failure = {
      kind: "key-seal",
      sealedTo: "https://a.example",
      refusedTo: "https://b.example",
    };
    const stored = diagnose(failed(failure), context, t);
    assert.match(stored.explanation, /stored for https:\/\/a\.example .* not sent to https:\/\/b\.example/);
    const { explanation, evidence } = diagnose(
      failed(failure),
      { ...context, keyVariable: "SERVICE_KEY" },
      t,
    );
    assert.match(
      explanation,
      /environment variable SERVICE_KEY was sent to https:\/\/a\.example\. .* https:\/\/b\.example/,
    );
    assert.ok(!`${explanation} ${evidence.join()}`.includes("stored"));
  });

  it("shows the status, the service's quoted first line, the host, and the delay", () => {
    const failure: Failure = {
      kind: "refused",
      status: 429,
      error: { message: "Slow down\nsecond line", type: "rate_limit_error" },
      bodyKind: "json",
      requestId: "r-1",
      retryAfterMs: 1200,
    };
    const diagnosis = diagnose(failed(failure), context, t);
    assert.equal(diagnosis.cause, "rate-limited");
    assert.equal(diagnosis.requestId, "r-1");
    assert.deepEqual(diagnosis.evidence, [
      "HTTP status 429",
      'The service said: "Slow down"',
      'Further details: "second line"',
      "Error code: rate_limit_error",
      "Host: h.example:8443",
      "The service asks you to wait 2 s.",
    ]);
    assert.match(diagnosis.explanation, /Try again in 2 s/);
    assert.deepEqual(diagnosis.actions[0], { id: "retry", label: "Retry" });
  });

  for (const [message, limit] of [
    ["max_tokens is too large: 99999. This model supports at most 16384 completion tokens.", 16384],
    ["max_tokens: 99999 > 8192, which is the maximum allowed number of output tokens", 8192],
    ["Range of max_tokens should be [1, 4096]", 4096],
    ["`max_tokens` must be less than or equal to `32768`, which is less than the `context_window`", 32768],
    ["The maximum tokens you requested exceeds the model limit of 8192. Try again with less.", 8192],
    ["`max_output_tokens` is 90000 but the supported range is from 1 to 65536", undefined],
    ["The max_tokens is too high for this model", undefined],
  ] as const) {
    it(`names the setting for the token limit, and the model's limit if it is stated: ${message}`, () => {
      const refusal: Failure = { kind: "refused", status: 400, error: { message }, bodyKind: "json" };
      const { cause, explanation, actions } = diagnose(failed(refusal), context, t);
      assert.equal(cause, "bad-request");
      assert.match(explanation, /inference\.maxTokens/);
      assert.equal(/up to (\d+)/.exec(explanation)?.[1], limit?.toString());
      assert.equal(actions[0]?.id, "change-max-tokens");
    });
  }

  it("doesn't offer Retry first if an image was refused", () => {
    const error = { message: "image input is not supported - hint: a projector is needed" };
    const { cause, actions } = diagnose(
      failed({ kind: "refused", status: 500, error, bodyKind: "json" }),
      context,
      t,
    );
    assert.deepEqual([cause, actions[0]?.id], ["bad-request", "select-model"]);
  });

  it("offers to select the client style if the answer has the other style", () => {
    const failure: Failure = { kind: "unreadable", status: 200, bodyKind: "other-style" };
    const { cause, title, actions } = diagnose(failed(failure), context, t);
    assert.deepEqual([cause, actions[0]?.id], ["not-an-api", "select-client-style"]);
    assert.match(title, /other client style/);
  });

  it("leaves out the server's stack trace", () => {
    const message =
      'No such route\nTraceback (most recent call last):\n  File "app.py", line 3, in ask\n    at run (/srv/app.js:2:3)\nat least (as we see it): try another.';
    const refusal: Failure = { kind: "refused", status: 500, error: { message }, bodyKind: "json" };
    const lines = diagnose(failed(refusal), context, t).evidence.filter((line) =>
      line.startsWith("Further details"),
    );
    assert.deepEqual(lines, ['Further details: "at least (as we see it): try another."']);
  });

  it("names the target of a redirect without its query", () => {
    const failure: Failure = {
      kind: "redirect",
      status: 302,
      location: "https://login.example/start?token=abc",
      origin: "https://h.example:8443",
    };
    const diagnosis = diagnose(failed(failure), context, t);
    assert.equal(diagnosis.cause, "wrong-host");
    assert.match(diagnosis.explanation, /login\.example/);
    assert.ok(diagnosis.evidence.includes("Redirects to https://login.example/start"));
    assert.ok(!JSON.stringify(diagnosis).includes("abc"));
  });

  it("ranks the five causes of an unexplained refusal by known facts", () => {
    const orderOf = (known: object): string =>
      diagnose(failed(refused(401)), { ...context, ...known }, t).explanation;
    for (const word of ["revoked", "expired", "host", "empty", "space"])
      assert.match(orderOf({}), new RegExp(word));
    assert.match(orderOf({}), /first: the key was revoked/);
    assert.match(orderOf({ expires: "2030-01-09" }), /first: the key expired on 2030-01-09/);
    assert.match(orderOf({ expires: "2030-01-10" }), /first: the key was revoked/);
    assert.match(orderOf({ keyVariable: "MY_KEY" }), /first: the environment variable MY_KEY/);
    assert.match(
      diagnose(failed(refused(401, { message: "Unauthorized" })), context, t).explanation,
      /most likely first/,
    );
    assert.doesNotMatch(
      diagnose(failed(refused(401, { message: "Unknown key" })), context, t).explanation,
      /most likely/,
    );
  });

  it("states why the secret storage returned no key, and what to do", () => {
    assert.match(explainStore(), /No API key is stored/);
    assert.match(explainStore("failing"), /Couldn't read the secret storage.* Unlock your system keyring/);
    assert.match(explainStore("lost"), /is no longer stored.* Set the API key again/);
    assert.match(explainStore("garbled"), /holds an unexpected value.* Set the API key again/);
  });

  it("explains that another connection has taken the name, and offers to retry", () => {
    const failure: Failure = { kind: "key", cause: "empty-key", replaced: "Acme" };
    const { title, explanation, actions } = diagnose(failed(failure), context, t);
    assert.equal(title, "The connection was replaced");
    assert.equal(
      explanation,
      "The answer ended because another connection now has the name 'Acme'. To ask this connection, retry the answer.",
    );
    assert.deepEqual(
      actions.map(({ id }) => id),
      ["retry", "learn-more"],
    );
  });

  it("ranks the causes by the key's history in this window", () => {
    const orderOf = (known: object): string =>
      diagnose(failed(refused(401)), { ...context, ...known }, t).explanation;
    assert.match(orderOf({ keyHistory: "accepted" }), /first: the key was revoked; the key has expired;/);
    assert.match(
      orderOf({ keyHistory: "accepted", keyVariable: "MY_KEY" }),
      /first: the key was revoked; the key has expired; .*the environment variable MY_KEY/,
    );
    assert.match(
      orderOf({ keyHistory: "new" }),
      /first: the key is for a different host than h\.example:8443; the key is incomplete/,
    );
    assert.match(
      orderOf({ keyHistory: "new", expires: "2030-01-08" }),
      /first: the key expired on 2030-01-08; the key is for a different host/,
    );
    const said = refused(401, { message: "Unknown key" });
    const explain = (keyHistory: "accepted" | "new"): string =>
      diagnose(failed(said), { ...context, keyHistory }, t).explanation;
    assert.match(explain("accepted"), /no longer accepts this API key.*revoked/);
    assert.match(explain("new"), /copied all of it.*this host/);
    const { evidence } = diagnose(failed(said), { ...context, keyHistory: "accepted" }, t);
    assert.ok(evidence.includes("The service accepted the key earlier in this window"));
  });

  it("adds a few further lines of the service's message to the evidence, redacted", () => {
    const key = ["sk", "test", "0123456789abcdef"].join("-");
    const message = [
      "No",
      `key was ${key}`,
      "",
      ...Array.from({ length: 50 }, (_, index) => `line ${index}`),
    ];
    const { evidence } = diagnose(failed(refused(400, { message: message.join("\r\n") })), context, t);
    assert.ok(evidence.includes('The service said: "No"'));
    assert.ok(evidence.includes('Further details: "key was •••"'));
    assert.ok(evidence.includes('Further details: "line 0"'));
    assert.ok(evidence.length < 15 && !JSON.stringify(evidence).includes(key));
  });

  it("quotes the service if the cause alone says little", () => {
    const { explanation } = diagnose(failed(refused(400, { message: "Odd roles\nmore" })), context, t);
    assert.match(explanation, /\. The service said: "Odd roles"$/);
    assert.doesNotMatch(diagnose(failed(refused(429, { message: "Slow" })), context, t).explanation, /Slow/);
  });

  it("states that an expired key may be the reason for a denied model", () => {
    const failure = refused(403, { type: "key_model_access_denied" });
    const diagnosis = diagnose(failed(failure), { ...context, expires: "2029-12-31" }, t);
    assert.equal(diagnosis.cause, "model-not-allowed");
    assert.match(diagnosis.explanation, /\(2029-12-31\) has passed/);
  });

  it("states that your key is fine if the gateway's own key was refused", () => {
    const failure = refused(401, { message: "SomeException - Incorrect API key provided" });
    assert.match(diagnose(failed(failure), context, t).explanation, /Your key is fine/);
  });

  it("names the kind of a web page", () => {
    const explain = (status: number, html: string): string =>
      diagnose(failed(page(status, html)), context, t).explanation;
    assert.match(explain(403, "<title>Just a moment...</title>"), /web firewall/);
    assert.match(explain(200, '<title>Hotel</title><input type="password">'), /sign-in page/);
    assert.match(explain(404, "<title>404 Not Found</title><center>nginx</center>"), /error page/);
    assert.match(explain(200, "<title>Acme</title><p>Welcome"), /website, not the API/);
    assert.ok(
      diagnose(failed(page(200, "<title>Acme</title>")), context, t).evidence.includes(
        'The page is titled "Acme".',
      ),
    );
  });

  it("names the environment variable of a missing key", () => {
    const failure: Failure = { kind: "key", cause: "empty-key", variable: "MY_KEY" };
    const diagnosis = diagnose(failed(failure), context, t);
    assert.match(diagnosis.explanation, /MY_KEY/);
    assert.ok(diagnosis.evidence.includes("The key comes from the environment variable MY_KEY"));
  });

  it("explains the codes of network errors", () => {
    const explain = (code: string): string =>
      diagnose(failed({ kind: "network", code }), context, t).explanation;
    assert.match(explain("ENOTFOUND"), /was not found/);
    assert.match(explain("ECONNREFUSED"), /refused the connection/);
    assert.notEqual(explain("ECONNRESET"), explain("ENOTFOUND"));
    assert.match(
      diagnose(failed({ kind: "tls", code: "CERT_HAS_EXPIRED" }), context, t).explanation,
      /clock/,
    );
    for (const code of ["DEPTH_ZERO_SELF_SIGNED_CERT", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"])
      assert.match(diagnose(failed({ kind: "tls", code }), context, t).explanation, /and restart VS Code/);
  });

  it("returns translated, plain JSON", () => {
    const shout = createTranslate({ Retry: "Nochmal" });
    const diagnosis = diagnose(failed(refused(500)), context, shout);
    assert.equal(diagnosis.actions[0]?.label, "Nochmal");
    assert.deepEqual(JSON.parse(JSON.stringify(diagnosis)), diagnosis);
  });

  it("never shows a key that a server echoed in any field", () => {
    const key = ["sk", "test", "0123456789abcdef"].join("-");
    const text = fc.constantFrom(key, `x ${key}`, `Received=${key}.`, `"${key}"`, `${key}\nmore`);
    fc.assert(
      fc.property(text, text, text, text, (message, type, code, param) => {
        const error = { message, type, code, param };
        const failures: readonly Failure[] = [
          refused(401, error),
          { kind: "refused", status: 400, error, bodyKind: "json", requestId: key },
          { kind: "stream-error", error },
          { kind: "unreadable", status: 200, bodyKind: "text", bodyStart: message },
          { kind: "unreadable", status: 200, bodyKind: "html", bodyStart: `<title>${key}</title>` },
          { kind: "redirect", status: 302, location: `https://h.example/${key}?k=${key}` },
          { kind: "filtered", wireReason: "refusal", explanation: message },
        ];
        for (const failure of failures) {
          assert.ok(
            !JSON.stringify(diagnose(failed(failure), { ...context, secrets: [key] }, t)).includes(key),
            failure.kind,
          );
          if (!("requestId" in failure && failure.requestId === key))
            assert.ok(!JSON.stringify(diagnose(failed(failure), {}, t)).includes(key), failure.kind);
        }
      }),
    );
  });

  it("returns the failure's cause", () => {
    const found: Cause = causeOf(refused(529));
    assert.equal(diagnose(failed(refused(529)), {}, t).cause, found);
  });
});

describe("an environment variable with more than a key", () => {
  it("is named with its extra text, and with a note that nothing was sent", () => {
    const failure = {
      kind: "key",
      cause: "malformed-key",
      variable: "ACME_KEY",
      mends: ["bearer", "blank-around"],
    } as const;
    const { explanation } = diagnose(failed(failure), {}, createTranslate());
    assert.match(explanation, /ACME_KEY.*Bearer.*spaces around.*Nothing was sent/);
  });
});
