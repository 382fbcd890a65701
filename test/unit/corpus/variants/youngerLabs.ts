import { chatError as chat, type ErrorVariant, variantsOf } from "./errorVariant.ts";

const auth = "authentication_error";
const request = "invalid_request_error";

/** Errors of further model makers. */
export const youngerLabVariants: readonly ErrorVariant[] = [
  ...variantsOf("DeepSeek", [
    [401, chat("Authentication Fails, Your api key: ****abcd is invalid", auth, request), "invalid-key"],
    [401, chat("Authentication Fails (no such user)", auth, request), "invalid-key"],
    [402, chat("Insufficient Balance", "unknown_error", request), "budget-exhausted"],
    [400, chat("Model Not Exist", request, request), "model-not-found"],
    [400, chat("Content Exists Risk", request, request), "content-filtered"],
    [
      503,
      chat("Service is too busy. We advise users to temporarily switch to alternative providers."),
      "overloaded",
    ],
  ]),
  ...variantsOf("Moonshot", [
    [401, chat("Invalid Authentication", "invalid_authentication_error"), "invalid-key"],
    [
      429,
      chat(
        "Your account is suspended, please check your plan and billing details",
        "exceeded_current_quota_error",
      ),
      "budget-exhausted",
    ],
    [
      429,
      chat("The engine is currently overloaded, please try again later", "engine_overloaded_error"),
      "overloaded",
    ],
    [
      404,
      chat("Not found the model service-9 or Permission denied", "resource_not_found_error"),
      "model-not-found",
      "model-not-allowed",
    ],
    [
      400,
      chat("The request was rejected because it was considered high risk", "content_filter"),
      "content-filtered",
    ],
    [
      429,
      chat(
        "Your account x request reached max concurrency: 1, please try again after 1 seconds",
        "rate_limit_reached_error",
      ),
      "rate-limited",
    ],
    [400, chat("Invalid request: Your request exceeded model token limit: 8192"), "context-length"],
  ]),
  ...variantsOf("DashScope", [
    [
      401,
      { code: "InvalidApiKey", message: "Invalid API-key provided.", request_id: "a1b2c3d4e5" },
      "invalid-key",
    ],
    [
      400,
      {
        code: "DataInspectionFailed",
        message: "Input data may contain inappropriate content.",
        request_id: "a1b2c3d4e5",
      },
      "content-filtered",
    ],
    [
      403,
      { code: "Model.AccessDenied", message: "Model access denied.", request_id: "a1b2c3d4e5" },
      "model-not-allowed",
    ],
    [
      400,
      {
        code: "Arrearage",
        message: "Access denied, please make sure your account is in good standing.",
        request_id: "a1b2c3d4e5",
      },
      "budget-exhausted",
    ],
    [
      429,
      {
        code: "Throttling.RateQuota",
        message: "Requests rate limit exceeded, please try again later.",
        request_id: "a1b2c3d4e5",
      },
      "rate-limited",
    ],
    [
      429,
      {
        code: "Throttling.AllocationQuota",
        message: "Allocated quota exceeded, please increase your quota limit.",
        request_id: "a1b2c3d4e5",
      },
      "rate-limited",
    ],
    [
      403,
      {
        code: "AllocationQuota.FreeTierOnly",
        message: "The free tier of the model has been exhausted.",
        request_id: "a1b2c3d4e5",
      },
      "budget-exhausted",
    ],
    [
      400,
      chat("Range of input length should be [1, 30720]", request, "invalid_parameter_error"),
      "context-length",
    ],
    [400, chat("Range of max_tokens should be [1, 8192]", request, "invalid_parameter_error"), "bad-request"],
    [
      404,
      chat(
        "The model `service-9` does not exist or you do not have access to it.",
        request,
        "model_not_found",
      ),
      "model-not-found",
      "model-not-allowed",
    ],
  ]),
  ...variantsOf("Zhipu", [
    [401, { error: { code: "1000", message: "身份验证失败。" } }, "invalid-key"],
    [
      401,
      { error: { code: "1001", message: "Header 中未收到 Authorization 参数，无法进行身份验证。" } },
      "empty-key",
    ],
    [
      401,
      { error: { code: "1002", message: "Authorization Token 非法，请确认 Authorization Token 正确传递。" } },
      "invalid-key",
    ],
    [401, { error: { code: "1003", message: "身份验证 Token 过期，请重新生成。" } }, "expired-key"],
    [429, { error: { code: "1113", message: "您的账户已欠费，请充值后重试。" } }, "budget-exhausted"],
    [400, { error: { code: "1211", message: "模型不存在，请检查模型代码。" } }, "model-not-found"],
    [
      429,
      { error: { code: "1302", message: "您当前使用该 API 的并发数过高，请降低并发。" } },
      "rate-limited",
    ],
    [
      400,
      { error: { code: "1301", message: "系统检测到输入或生成内容可能包含不安全或敏感内容。" } },
      "content-filtered",
    ],
    [400, { error: { code: "1261", message: "Prompt 超长" } }, "context-length"],
    [
      429,
      { error: { code: "1305", message: "当前 API 请求过多，请稍后重试。" } },
      "rate-limited",
      "overloaded",
    ],
  ]),
  ...variantsOf("xAI", [
    [
      400,
      { code: "Client specified an invalid argument", error: "Incorrect API key provided: ab***yz." },
      "invalid-key",
    ],
    [
      403,
      {
        code: "The caller does not have permission to execute the specified operation",
        error: "Your newly created team doesn't have any credits yet.",
      },
      "budget-exhausted",
    ],
    [
      404,
      {
        code: "Some requested entity was not found",
        error: "The model service-9 does not exist or your team does not have access to it.",
      },
      "model-not-found",
      "model-not-allowed",
    ],
    [
      429,
      {
        code: "Some resource has been exhausted",
        error: "Too many requests for team. Your team's rate limit is 5 requests per minute.",
      },
      "rate-limited",
    ],
    [
      429,
      {
        code: "Some resource has been exhausted",
        error: "Your team has either used all available credits or reached its monthly spending limit.",
      },
      "budget-exhausted",
    ],
    [
      400,
      {
        code: "Client specified an invalid argument",
        error: "API key is currently blocked: it was disabled by an admin.",
      },
      "revoked-key",
    ],
  ]),
  ...variantsOf("Perplexity", [
    [401, chat("Invalid API key provided.", "invalid_api_key", 401), "invalid-key"],
    [
      400,
      chat("Invalid model 'x'. Permitted models can be found in the documentation.", "invalid_model", 400),
      "model-not-found",
    ],
  ]),
];
