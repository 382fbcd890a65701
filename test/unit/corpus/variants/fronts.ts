import { type ErrorVariant, variantsOf } from "./errorVariant.ts";

/** Errors of network front ends and frameworks. */
export const frontVariants: readonly ErrorVariant[] = [
  ...variantsOf("Azure", [
    [
      401,
      {
        statusCode: 401,
        message:
          "Access denied due to invalid subscription key. Make sure to provide a valid key for an active subscription.",
      },
      "invalid-key",
    ],
    [
      401,
      {
        error: {
          code: "401",
          message:
            "Access denied due to invalid subscription key or wrong API endpoint. Make sure to provide a valid key and a correct endpoint.",
        },
      },
      "invalid-key",
    ],
    [429, { statusCode: 429, message: "Rate limit is exceeded. Try again in 12 seconds." }, "rate-limited"],
    [
      403,
      { statusCode: 403, message: "Out of call volume quota. Quota will be replenished in 02:10:00." },
      "budget-exhausted",
      "rate-limited",
    ],
    [404, { statusCode: 404, message: "Resource not found" }, "wrong-path"],
    [
      404,
      {
        error: {
          code: "DeploymentNotFound",
          message: "The API deployment for this resource does not exist.",
        },
      },
      "model-not-found",
    ],
    [
      400,
      {
        error: {
          message: "The response was filtered due to the prompt triggering the content management policy.",
          code: "content_filter",
          innererror: { code: "ResponsibleAIPolicyViolation" },
        },
      },
      "content-filtered",
    ],
    [
      429,
      {
        error: {
          code: "429",
          message:
            "Requests to this operation have exceeded token rate limit of your current pricing tier. Please retry after 20 seconds.",
        },
      },
      "rate-limited",
    ],
    [400, { error: { code: "BadRequest", message: "API version not supported" } }, "bad-request"],
  ]),
  ...variantsOf("Envoy", [
    [401, "Jwt is expired", "expired-key"],
    [401, "Jwt is missing", "empty-key"],
    [401, "Jwt verification fails", "invalid-key"],
    [403, "RBAC: access denied", "unknown"],
    [503, "no healthy upstream", "overloaded"],
    [
      503,
      "upstream connect error or disconnect/reset before headers. reset reason: connection failure",
      "overloaded",
      "server-error",
    ],
    [504, "upstream request timeout", "timeout"],
    [429, "local_rate_limited", "rate-limited"],
  ]),
  ...variantsOf("AWS", [
    [403, { message: "Missing Authentication Token" }, "empty-key", "wrong-path"],
    [403, { message: "Forbidden" }, "unknown", "invalid-key"],
    [429, { message: "Limit Exceeded" }, "rate-limited", "budget-exhausted"],
    [504, { message: "Endpoint request timed out" }, "timeout"],
  ]),
  ...variantsOf("Cloudflare", [
    [
      401,
      { success: false, result: [], messages: [], error: [{ code: 2009, message: "Unauthorized" }] },
      "invalid-key",
    ],
    [
      403,
      {
        success: false,
        errors: [{ code: 10000, message: "Authentication error" }],
        messages: [],
        result: null,
      },
      "invalid-key",
    ],
    [
      404,
      {
        success: false,
        errors: [
          {
            code: 7003,
            message: "Could not route to /accounts/x, perhaps your object identifier is invalid?",
          },
        ],
      },
      "wrong-path",
    ],
    [403, "error code: 1020", "not-an-api"],
    [521, "error code: 521", "server-error"],
    [522, "error code: 522", "timeout"],
  ]),
  ...variantsOf("frameworks", [
    [
      404,
      { timestamp: "2031-01-01T00:00:00Z", status: 404, error: "Not Found", path: "/v1/v1/models" },
      "wrong-path",
    ],
    [
      401,
      { timestamp: "2031-01-01T00:00:00Z", status: 401, error: "Unauthorized", path: "/v1/models" },
      "invalid-key",
    ],
    [404, { type: "https://tools.example/rfc9110#15.5.5", title: "Not Found", status: 404 }, "wrong-path"],
    [404, "Cannot POST /v1/chat/completion", "wrong-path"],
    [
      404,
      { error: { type: "not_found_error", message: "Route POST:/v1/chat/completion not found" } },
      "wrong-path",
    ],
    [
      404,
      { message: "Route POST:/v1/complete not found", error: "Not Found", statusCode: 404 },
      "wrong-path",
    ],
    [403, { detail: "Not authenticated" }, "empty-key"],
    [401, { detail: "Could not validate credentials" }, "invalid-key"],
    [401, { detail: "Token has expired" }, "expired-key"],
    [401, { detail: "Authentication credentials were not provided." }, "empty-key"],
    [401, { detail: "Incorrect authentication credentials." }, "invalid-key"],
    [429, { detail: "Request was throttled. Expected available in 12 seconds." }, "rate-limited"],
    [401, { error: "invalid_token", error_description: "The access token expired" }, "expired-key"],
    [401, { error: "invalid_token", error_description: "The access token is invalid" }, "invalid-key"],
    [500, "Internal Server Error", "server-error"],
    [502, "", "server-error"],
    [429, "", "rate-limited"],
    [401, "", "invalid-key", "empty-key"],
    [403, "", "unknown"],
    [404, "", "wrong-path"],
    [404, "null", "wrong-path"],
    [400, "[]", "bad-request"],
  ]),
];
