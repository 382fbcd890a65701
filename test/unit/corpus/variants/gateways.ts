import { chatError as chat, type ErrorVariant, variantsOf } from "./errorVariant.ts";

/** What stands between a caller and a model answers with. */
export const gatewayVariants: readonly ErrorVariant[] = [
  ...variantsOf("LiteLLM", [
    [
      401,
      chat(
        "Authentication Error, Key is blocked. Update via `/key/unblock` if you're admin.",
        "auth_error",
        "401",
      ),
      "revoked-key",
    ],
    [
      400,
      chat(
        "Invalid model name passed in model=service-9. Call `/v1/models` to view available models for your key.",
        "None",
        "400",
      ),
      "model-not-found",
    ],
    [
      429,
      chat(
        "Max parallel request limit reached. Hit limit for api_key: 88dc. Current limit: 1",
        "None",
        "429",
      ),
      "rate-limited",
    ],
    [
      429,
      chat(
        "No deployments available for selected model, Try again in 5 seconds. Passed model=service-core.",
        "None",
        "429",
      ),
      "rate-limited",
      "overloaded",
    ],
    [
      400,
      chat(
        "litellm.ContextWindowExceededError: litellm.BadRequestError: This prompt has 9000 tokens",
        "None",
        "400",
      ),
      "context-length",
    ],
    [
      401,
      chat(
        "litellm.AuthenticationError: AuthenticationError: OpenAIException - Incorrect API key provided: x",
        "None",
        "401",
      ),
      "server-error",
    ],
    [
      408,
      chat("litellm.Timeout: APITimeoutError - Request timed out after 600.0 seconds", "None", "408"),
      "timeout",
    ],
    [
      429,
      chat(
        "litellm.RateLimitError: VertexAIException - Resource exhausted, please try later",
        "throttling_error",
        "429",
      ),
      "rate-limited",
    ],
    [
      400,
      chat("ExceededTokenBudget: Current spend for token: 1.2; Max Budget for Token: 1.0", "auth_error", 400),
      "budget-exhausted",
    ],
    [
      400,
      chat(
        "Budget has been exceeded! Tag=team-a Current cost: 3.1, Max budget: 3.0",
        "budget_exceeded",
        "400",
      ),
      "budget-exhausted",
    ],
    [
      401,
      chat(
        "team not allowed to access model. This team can only access models=['a']. Tried to access b",
        "team_model_access_denied",
        "401",
      ),
      "model-not-allowed",
    ],
    [
      429,
      chat(
        "Rate limit exceeded for api_key: 88dc. Limit type: requests. Current limit: 2, Remaining: 0.",
        "None",
        "429",
      ),
      "rate-limited",
    ],
    [401, { detail: { error: "Authentication Error, Invalid proxy server token passed" } }, "invalid-key"],
  ]),
  ...variantsOf("OpenRouter", [
    [
      402,
      { error: { message: "Insufficient credits. Add more in your settings", code: 402 } },
      "budget-exhausted",
    ],
    [401, { error: { message: "No auth credentials found", code: 401 } }, "empty-key"],
    [401, { error: { message: "Invalid credentials", code: 401 } }, "invalid-key"],
    [
      403,
      {
        error: {
          message: "service-core requires moderation on A. Your input was flagged for 'violence'.",
          code: 403,
        },
      },
      "content-filtered",
    ],
    [404, { error: { message: "No endpoints found for x/service-9.", code: 404 } }, "model-not-found"],
    [
      404,
      { error: { message: "No allowed providers are available for the selected model.", code: 404 } },
      "model-not-found",
      "model-not-allowed",
    ],
    [
      429,
      {
        error: {
          message: "Rate limit exceeded: free-models-per-day. Add 10 credits to unlock more requests per day",
          code: 429,
        },
      },
      "rate-limited",
    ],
    [400, { error: { message: "x/service-9 is not a valid model ID", code: 400 } }, "model-not-found"],
    [
      502,
      {
        error: {
          message: "Provider returned error",
          code: 502,
          metadata: { raw: "upstream connect error", provider_name: "A" },
        },
      },
      "server-error",
    ],
    [
      400,
      {
        error: {
          message:
            "This endpoint's maximum context length is 32768 tokens. However, you requested about 40000 tokens",
          code: 400,
        },
      },
      "context-length",
    ],
    [
      429,
      {
        error: {
          message: "Provider returned error",
          code: 429,
          metadata: { raw: "service-core is temporarily rate-limited upstream" },
        },
      },
      "rate-limited",
    ],
  ]),
  ...variantsOf("Portkey", [
    [401, { success: false, data: { message: "Invalid API Key. Error Code: 03" } }, "invalid-key"],
    [
      412,
      { error: { message: "You have exceeded your budget limit", type: "limit_reached" } },
      "budget-exhausted",
    ],
    [
      446,
      {
        error: {
          message: "The guardrail checks defined in the config failed.",
          type: "hooks_failed",
          param: null,
          code: null,
        },
      },
      "content-filtered",
    ],
  ]),
  ...variantsOf("Kong", [
    [401, { message: "No API key found in request" }, "empty-key"],
    [401, { message: "Invalid authentication credentials" }, "invalid-key"],
    [403, { message: "You cannot consume this service" }, "unknown", "revoked-key", "model-not-allowed"],
    [503, { message: "failure to get a peer from the ring-balancer" }, "overloaded", "server-error"],
    [504, { message: "The upstream server is timing out" }, "timeout"],
    [404, { message: "no Route matched with those values" }, "wrong-path"],
    [413, { message: "Request size limit exceeded" }, "bad-request", "context-length"],
  ]),
  ...variantsOf("one-api", [
    [401, { error: { message: "未提供令牌 (request id: 2031)", type: "one_api_error" } }, "empty-key"],
    [
      403,
      {
        error: {
          message: "用户额度不足, 剩余额度: ¥0.01",
          type: "new_api_error",
          code: "insufficient_user_quota",
        },
      },
      "budget-exhausted",
    ],
    [
      403,
      { error: { message: "该令牌无权使用模型：service-max", type: "one_api_error" } },
      "model-not-allowed",
    ],
    [
      429,
      { error: { message: "当前分组上游负载已饱和，请稍后再试", type: "upstream_error", code: 429 } },
      "overloaded",
      "rate-limited",
    ],
    [
      403,
      {
        error: {
          message: "token quota is not enough, token remain quota: ¥0.01, need quota: ¥0.2",
          type: "new_api_error",
        },
      },
      "budget-exhausted",
    ],
    [
      403,
      { error: { message: "This token has no access to model service-max", type: "new_api_error" } },
      "model-not-allowed",
    ],
    [
      503,
      {
        error: {
          message: "No available channel for model service-9 under group default",
          type: "new_api_error",
          code: "model_not_found",
        },
      },
      "model-not-found",
    ],
    [403, { error: { message: "该用户已被禁用", type: "one_api_error" } }, "revoked-key"],
    [401, { error: { message: "该令牌已被禁用", type: "one_api_error" } }, "revoked-key"],
    [
      404,
      {
        error: {
          message: "Invalid URL (GET /v1/chat/completions/models)",
          type: "invalid_request_error",
          param: "",
          code: "",
        },
      },
      "wrong-path",
    ],
  ]),
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
