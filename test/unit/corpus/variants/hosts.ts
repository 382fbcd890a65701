import { chatError as chat, type ErrorVariant, variantsOf } from "./errorVariant.ts";

const request = "invalid_request_error";

/** Errors of services that host models of other companies. */
export const hostVariants: readonly ErrorVariant[] = [
  ...variantsOf("Hugging Face", [
    [401, { error: "Invalid username or password." }, "invalid-key"],
    [
      402,
      { error: "You have exceeded your monthly included credits for Inference Providers." },
      "budget-exhausted",
    ],
    [
      403,
      {
        error:
          "This authentication method does not have sufficient permissions to call Inference Providers on behalf of user x",
      },
      "model-not-allowed",
      "unknown",
    ],
    [
      400,
      chat(
        "The requested model 'x/y' is not supported by any provider you have enabled.",
        request,
        "model_not_supported",
      ),
      "model-not-found",
      "model-not-allowed",
    ],
  ]),
  ...variantsOf("Groq", [
    [401, chat("Invalid API Key", request, "invalid_api_key"), "invalid-key"],
    [
      404,
      chat(
        "Unknown request URL: POST /openai/v1/chat. Please check the URL for typos.",
        request,
        "unknown_url",
      ),
      "wrong-path",
    ],
    [
      400,
      chat(
        "The model `service-old` has been decommissioned and is no longer supported.",
        request,
        "model_decommissioned",
      ),
      "model-not-found",
    ],
    [
      498,
      chat("Flex tier capacity exceeded, please try again later.", "capacity_exceeded", "capacity_exceeded"),
      "overloaded",
    ],
    [
      400,
      chat(
        "Organization has been restricted. Please reach out to support if you believe this was in error.",
        request,
        "organization_restricted",
      ),
      "revoked-key",
    ],
    [
      403,
      chat(
        "The model `service-max` is blocked at the project level. Please have a project admin enable this model.",
        "permissions_error",
        "model_permission_blocked_project",
      ),
      "model-not-allowed",
    ],
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
  ...variantsOf("Together", [
    [
      401,
      chat(
        "Invalid API key provided. You can find your API key in the settings.",
        request,
        "invalid_api_key",
      ),
      "invalid-key",
    ],
    [
      404,
      chat(
        "Unable to access model service-9. Please visit the site to view the list of supported models.",
        request,
        "model_not_available",
      ),
      "model-not-found",
      "model-not-allowed",
    ],
    [
      402,
      chat("Credit limit exceeded, please navigate to your billing page.", "credit_limit"),
      "budget-exhausted",
    ],
    [
      422,
      chat("Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193."),
      "context-length",
    ],
    [
      429,
      chat(
        "You have reached the rate limit specific to this model service-core.",
        "rate_limit",
        "model_rate_limit",
      ),
      "rate-limited",
    ],
  ]),
  ...variantsOf("Fireworks", [
    [
      404,
      {
        error: {
          object: "error",
          type: request,
          code: "NOT_FOUND",
          message: "Model not found, inaccessible, and/or not deployed",
        },
      },
      "model-not-found",
    ],
    [
      401,
      {
        error: {
          object: "error",
          type: "error",
          code: "UNAUTHORIZED",
          message: "The API key you provided is invalid.",
        },
      },
      "invalid-key",
    ],
    [
      412,
      {
        error: {
          code: "PRECONDITION_FAILED",
          message:
            "Account x is suspended, possibly due to reaching the monthly spending limit or failure to pay past invoices.",
        },
      },
      "budget-exhausted",
      "revoked-key",
    ],
    [403, { error: "unauthorized" }, "invalid-key"],
  ]),
  ...variantsOf("SiliconFlow", [
    [401, '"Invalid token"', "invalid-key"],
    [
      403,
      { code: 30001, message: "Sorry, your account balance is insufficient", data: null },
      "budget-exhausted",
    ],
    [
      400,
      { code: 20012, message: "Model does not exist. Please check it carefully.", data: null },
      "model-not-found",
    ],
    [429, { message: "Request was rejected due to rate limiting.", data: null }, "rate-limited"],
    [
      503,
      { code: 50505, message: "Model service overloaded. Please try again later.", data: null },
      "overloaded",
    ],
    [
      400,
      {
        code: 20015,
        message: "length of prompt_tokens (40000) must be less than max_seq_len (32768).",
        data: null,
      },
      "context-length",
    ],
    [403, { code: 30003, message: "Model disabled.", data: null }, "model-not-found", "model-not-allowed"],
  ]),
  ...variantsOf("Cerebras", [
    [
      401,
      { message: "Wrong API Key", type: request, param: "api_key", code: "wrong_api_key" },
      "invalid-key",
    ],
    [
      429,
      {
        message: "Requests per minute limit exceeded - too many requests sent.",
        type: "too_many_requests_error",
        param: "quota",
        code: "request_quota_exceeded",
      },
      "rate-limited",
    ],
  ]),
  ...variantsOf("Databricks", [
    [
      401,
      { error_code: "401", message: "Credential was not sent or was of an unsupported type for this API." },
      "empty-key",
      "not-a-key",
    ],
    [403, { error_code: "403", message: "Invalid access token." }, "invalid-key"],
    [
      404,
      {
        error_code: "RESOURCE_DOES_NOT_EXIST",
        message:
          "The given endpoint does not exist, please retry after checking the specified model and version deployment exists.",
      },
      "model-not-found",
      "wrong-path",
    ],
    [
      429,
      {
        error_code: "REQUEST_LIMIT_EXCEEDED",
        message: "Exceeded workspace input tokens per minute rate limit for service-core.",
      },
      "rate-limited",
    ],
  ]),
  ...variantsOf("Bedrock", [
    [403, { message: "The security token included in the request is invalid." }, "invalid-key"],
    [403, { message: "The security token included in the request is expired" }, "expired-key"],
    [
      403,
      {
        __type: "AccessDeniedException",
        message: "You don't have access to the model with the specified model ID.",
      },
      "model-not-allowed",
    ],
    [429, { message: "Too many tokens, please wait before trying again." }, "rate-limited"],
    [
      429,
      { __type: "ThrottlingException", message: "Too many tokens per day, please wait before trying again." },
      "rate-limited",
    ],
    [
      400,
      { __type: "ValidationException", message: "The provided model identifier is invalid." },
      "model-not-found",
    ],
    [400, { message: "Input is too long for requested model." }, "context-length"],
    [
      424,
      {
        __type: "ModelErrorException",
        message: "The request failed due to an error while processing the model.",
      },
      "server-error",
    ],
    [
      408,
      { __type: "ModelTimeoutException", message: "The processing time exceeded the model timeout length." },
      "timeout",
    ],
    [
      404,
      { __type: "ResourceNotFoundException", message: "This model version has reached the end of its life." },
      "model-not-found",
    ],
    [
      429,
      {
        __type: "ModelNotReadyException",
        message: "The model is not ready for inference. Please wait and try your request again.",
      },
      "overloaded",
    ],
    [
      400,
      {
        message:
          "Malformed input request: #: required key [messages] not found, please reformat your input and try again.",
      },
      "bad-request",
    ],
  ]),
];
