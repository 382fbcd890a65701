import {
  chatError as chat,
  type ErrorVariant,
  messagesError as message,
  variantsOf,
} from "./errorVariant.ts";

const request = "invalid_request_error";

/** Errors of servers on the user's own machine. */
export const ownMachineVariants: readonly ErrorVariant[] = [
  ...variantsOf("vLLM", [
    [
      404,
      {
        object: "error",
        message: "The model `service-9` does not exist.",
        type: "NotFoundError",
        param: null,
        code: 404,
      },
      "model-not-found",
    ],
    [
      404,
      {
        error: {
          message: "The model `service-9` does not exist.",
          type: "NotFoundError",
          param: "model",
          code: 404,
        },
      },
      "model-not-found",
    ],
    [401, { error: "Unauthorized" }, "invalid-key"],
    [
      400,
      {
        object: "error",
        message: "max_tokens must be at least 1, got 0.",
        type: "BadRequestError",
        code: 400,
      },
      "bad-request",
    ],
    [
      400,
      {
        object: "error",
        message:
          "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (900 in the messages, 4100 in the completion).",
        type: "BadRequestError",
        code: 400,
      },
      "context-length",
    ],
    [405, { detail: "Method Not Allowed" }, "wrong-path"],
    [
      500,
      {
        object: "error",
        message: "EngineCore encountered an issue. See stack trace for the root cause.",
        type: "InternalServerError",
        code: 500,
      },
      "server-error",
    ],
  ]),
  ...variantsOf("llama.cpp", [
    [404, { error: { code: 404, message: "File Not Found", type: "not_found_error" } }, "wrong-path"],
    [503, { error: { code: 503, message: "Loading model", type: "unavailable_error" } }, "overloaded"],
    [
      400,
      {
        error: {
          code: 400,
          message:
            "request (5210 tokens) exceeds the available context size (4096 tokens), try increasing it",
          type: "exceed_context_size_error",
        },
      },
      "context-length",
    ],
    [
      501,
      {
        error: {
          code: 501,
          message: "This server does not support embeddings.",
          type: "not_supported_error",
        },
      },
      "server-error",
      "bad-request",
      "wrong-path",
    ],
  ]),
  ...variantsOf("Ollama", [
    [404, { error: 'model "service-9" not found, try pulling it first' }, "model-not-found"],
    [404, chat("model 'service-9' not found", "api_error"), "model-not-found"],
    [404, "404 page not found", "wrong-path"],
    [500, { error: "llama runner process has terminated: exit status 2" }, "server-error"],
    [503, { error: "server busy, please try again. maximum pending requests exceeded" }, "overloaded"],
    [
      403,
      { error: "this model requires a subscription, upgrade for access" },
      "model-not-allowed",
      "budget-exhausted",
    ],
    [401, { error: "unauthorized" }, "invalid-key"],
  ]),
  ...variantsOf("LM Studio", [
    [
      404,
      chat(
        "No models loaded. Please load a model in the developer page or use the `lms load` command.",
        request,
        "model_not_found",
      ),
      "model-not-found",
    ],
    [400, { error: "No models loaded. Please load a model in the developer page." }, "model-not-found"],
    [200, { error: "Unexpected endpoint or method. (POST /v1/message)" }, "wrong-path"],
    [
      400,
      { error: "The number of tokens to keep from the initial prompt is greater than the context length." },
      "context-length",
    ],
    [401, chat("An LM Studio API token is required to make requests to this server", request), "empty-key"],
  ]),
  ...variantsOf("TGI", [
    [
      422,
      {
        error:
          "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 2000 `inputs` tokens and 500 `max_new_tokens`",
        error_type: "validation",
      },
      "context-length",
    ],
    [429, { error: "Model is overloaded", error_type: "overloaded" }, "overloaded"],
    [
      424,
      { error: "Request failed during generation: Server error", error_type: "generation" },
      "server-error",
    ],
    [503, { error: "Model service/core is currently loading", estimated_time: 20 }, "overloaded"],
  ]),
  ...variantsOf("a messages service of its own", [
    [401, message("authentication_error", "No API key was provided"), "empty-key"],
    [401, message("authentication_error", "API key is malformed"), "malformed-key"],
    [403, message("permission_error", "This key may not use the model service-max"), "model-not-allowed"],
    [429, message("rate_limit_error", "The budget of this key is used up"), "budget-exhausted"],
    [403, message("permission_error", "The key was revoked on 2031-01-01"), "revoked-key"],
    [401, message("authentication_error", "Key expired 3 days ago"), "expired-key"],
    [404, message("not_found_error", "Unknown model service-9"), "model-not-found"],
    [404, message("not_found_error", "There is no such endpoint: /v1/v1/messages"), "wrong-path"],
  ]),
];
