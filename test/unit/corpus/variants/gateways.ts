import { chatError as chat, type ErrorVariant, variantsOf } from "./errorVariant.ts";

/** Errors of gateways between a client and a model. */
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
];
