import {
  chatError as chat,
  type ErrorVariant,
  messagesError as message,
  variantsOf,
} from "./errorVariant.ts";

const auth = "authentication_error";
const request = "invalid_request_error";

/** Errors of model makers. */
export const labVariants: readonly ErrorVariant[] = [
  ...variantsOf("OpenAI", [
    [
      401,
      chat("You didn't provide an API key. Provide it in an Authorization header using Bearer auth."),
      "empty-key",
    ],
    [401, chat("Incorrect API key provided: x.", request, "invalid_api_key"), "invalid-key"],
    [
      401,
      chat("Your authentication token is not from a valid issuer.", request, "invalid_issuer"),
      "invalid-key",
      "not-a-key",
    ],
    [
      401,
      chat("This account is no longer active: it was deactivated.", request, "account_deactivated"),
      "revoked-key",
    ],
    [401, chat("Your API key has expired.", request, "invalid_api_key"), "expired-key"],
    [401, chat("This API key has been revoked.", request, "invalid_api_key"), "revoked-key"],
    [
      429,
      chat(
        "You exceeded your current quota, please check your plan and billing details.",
        "insufficient_quota",
        "insufficient_quota",
      ),
      "budget-exhausted",
    ],
    [
      429,
      chat(
        "Rate limit reached for service-core on requests per min (RPM): Limit 3, Used 3, Requested 1.",
        "requests",
        "rate_limit_exceeded",
      ),
      "rate-limited",
    ],
    [
      403,
      chat("Project `proj_0000` does not have access to model `service-max`", request, "model_not_found"),
      "model-not-allowed",
    ],
    [
      403,
      chat(
        "Country, region, or territory not supported",
        "request_forbidden",
        "unsupported_country_region_territory",
      ),
      "unknown",
    ],
    [
      400,
      chat("Billing hard limit has been reached", request, "billing_hard_limit_reached"),
      "budget-exhausted",
    ],
    [
      400,
      chat(
        "Your request was rejected as a result of our safety system.",
        request,
        "content_policy_violation",
      ),
      "content-filtered",
    ],
    [
      400,
      chat(
        "Invalid prompt: it was flagged as potentially violating our usage policy.",
        request,
        "invalid_prompt",
      ),
      "content-filtered",
    ],
    [503, chat("The engine is currently overloaded, please try again later", "server_error"), "overloaded"],
    [429, chat("That model is currently overloaded with other requests.", "server_error"), "overloaded"],
    [
      500,
      chat("The server had an error while processing your request. Sorry about that!", "server_error"),
      "server-error",
    ],
    [
      400,
      chat(
        "max_tokens is too large: 90000. This model supports at most 16000 completion tokens.",
        request,
        "invalid_value",
      ),
      "bad-request",
    ],
    [
      404,
      chat("The model `service-old` has been deprecated, learn more in the docs", request, "model_not_found"),
      "model-not-found",
    ],
    [
      400,
      chat("Invalid value: 'tool'. Supported values are: 'system', 'user'.", request, "invalid_value"),
      "bad-request",
    ],
    [400, chat("Unrecognized request argument supplied: stream_options"), "bad-request"],
    [400, chat("you must provide a model parameter"), "bad-request"],
    [
      400,
      chat(
        "This model's maximum context length is 8000 tokens. However, your messages resulted in 9120 tokens.",
        request,
        "context_length_exceeded",
      ),
      "context-length",
    ],
  ]),
  ...variantsOf("Anthropic", [
    [401, message(auth, "Invalid bearer token"), "invalid-key"],
    [401, message(auth, "x-api-key header is required"), "empty-key"],
    [401, message(auth, "OAuth authentication is currently not supported."), "not-a-key"],
    [401, message(auth, "This API key has been disabled."), "revoked-key"],
    [
      403,
      message("permission_error", "Your API key does not have permission to use the specified resource."),
      "model-not-allowed",
      "revoked-key",
    ],
    [404, message("not_found_error", "model: service-9"), "model-not-found"],
    [404, message("not_found_error", "Not Found"), "wrong-path"],
    [
      400,
      message(request, "Your credit balance is too low to access the API. Go to Plans & Billing."),
      "budget-exhausted",
    ],
    [
      400,
      message(
        request,
        "You have reached your specified API usage limits. You will regain access on 2031-02-01.",
      ),
      "budget-exhausted",
    ],
    [400, message(request, "This organization has been disabled."), "revoked-key"],
    [400, message(request, "prompt is too long: 210000 tokens > 200000 maximum"), "context-length"],
    [
      400,
      message(request, "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000"),
      "context-length",
    ],
    [
      400,
      message(
        request,
        "max_tokens: 8192 > 4096, which is the maximum allowed number of output tokens for service-core",
      ),
      "bad-request",
    ],
    [413, message("request_too_large", "Request exceeds the maximum size"), "bad-request", "context-length"],
    [400, message(request, "Output blocked by content filtering policy"), "content-filtered"],
    [
      429,
      message("rate_limit_error", "Number of request tokens has exceeded your per-minute rate limit"),
      "rate-limited",
    ],
    [529, message("overloaded_error", "Overloaded"), "overloaded"],
    [400, message(request, 'messages: roles must alternate between "user" and "assistant"'), "bad-request"],
    [400, message(request, "anthropic-version: header is required"), "bad-request"],
    [400, message(request, "max_tokens: Field required"), "bad-request"],
    [402, message("billing_error", "Payment required"), "budget-exhausted"],
    [500, message("api_error", "Internal server error"), "server-error"],
  ]),
  ...variantsOf("Google", [
    [
      401,
      {
        error: {
          code: 401,
          message:
            "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.",
          status: "UNAUTHENTICATED",
        },
      },
      "invalid-key",
      "not-a-key",
    ],
    [
      400,
      {
        error: {
          code: 400,
          message: "API key not valid. Please pass a valid API key.",
          status: "INVALID_ARGUMENT",
          details: [{ reason: "API_KEY_INVALID" }],
        },
      },
      "invalid-key",
    ],
    [
      400,
      {
        error: {
          code: 400,
          message: "API key expired. Please renew the API key.",
          status: "INVALID_ARGUMENT",
          details: [{ reason: "API_KEY_INVALID" }],
        },
      },
      "expired-key",
    ],
    [
      403,
      {
        error: {
          code: 403,
          message: "Permission denied: Consumer 'api_key:x' has been suspended.",
          status: "PERMISSION_DENIED",
          details: [{ reason: "CONSUMER_SUSPENDED" }],
        },
      },
      "revoked-key",
    ],
    [
      403,
      {
        error: {
          code: 403,
          message: "Your API key was reported as leaked. Please use another API key.",
          status: "PERMISSION_DENIED",
        },
      },
      "revoked-key",
    ],
    [
      403,
      {
        error: {
          code: 403,
          message:
            "Permission 'aiplatform.endpoints.predict' denied on resource '//x' (or it may not exist).",
          status: "PERMISSION_DENIED",
        },
      },
      "model-not-allowed",
    ],
    [
      404,
      {
        error: {
          code: 404,
          message:
            "Publisher Model `projects/p/models/m` was not found or your project does not have access to it.",
          status: "NOT_FOUND",
        },
      },
      "model-not-found",
      "model-not-allowed",
    ],
    [
      429,
      {
        error: {
          code: 429,
          message:
            "Quota exceeded for h.example/generate_content_requests_per_minute_per_project_per_base_model",
          status: "RESOURCE_EXHAUSTED",
        },
      },
      "rate-limited",
    ],
    [
      503,
      [
        {
          error: {
            code: 503,
            message: "The model is overloaded. Please try again later.",
            status: "UNAVAILABLE",
          },
        },
      ],
      "overloaded",
    ],
    [
      400,
      {
        error: {
          code: 400,
          message: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
          status: "INVALID_ARGUMENT",
        },
      },
      "context-length",
    ],
    [
      504,
      {
        error: {
          code: 504,
          message: "Deadline expired before operation could complete.",
          status: "DEADLINE_EXCEEDED",
        },
      },
      "timeout",
    ],
  ]),
  ...variantsOf("Mistral", [
    [401, { message: "Unauthorized", request_id: "a1b2c3d4e5" }, "invalid-key"],
    [
      400,
      {
        object: "error",
        message: "Invalid model: service-9",
        type: "invalid_model",
        param: null,
        code: "1500",
      },
      "model-not-found",
    ],
    [429, { message: "Requests rate limit exceeded" }, "rate-limited"],
    [
      429,
      {
        object: "error",
        message: "Service tier capacity exceeded for this model.",
        type: "service_tier_capacity_exceeded",
        code: "3505",
      },
      "overloaded",
      "rate-limited",
    ],
    [
      422,
      { detail: [{ type: "missing", loc: ["body", "messages"], msg: "Field required", input: {} }] },
      "bad-request",
    ],
  ]),
  ...variantsOf("Cohere", [
    [401, { message: "invalid api token" }, "invalid-key"],
    [401, { message: "no api key supplied" }, "empty-key"],
    [
      429,
      { message: "You are using a Trial key, which is limited to 40 API calls / minute." },
      "rate-limited",
    ],
    [
      404,
      {
        message:
          "model 'x' not found, make sure the correct model ID was used and that you have access to the model.",
      },
      "model-not-found",
    ],
    [
      400,
      {
        message:
          "too many tokens: total number of tokens (prompt and prediction) cannot exceed 4096 - received 5000",
      },
      "context-length",
    ],
  ]),
];
