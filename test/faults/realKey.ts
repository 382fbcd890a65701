/** Matches keys as services issue them, but not the fake keys of tests. */
export const realKey = new RegExp(
  `(?<![A-Za-z0-9])(?:${[
    // OpenAI, Anthropic, OpenRouter and similar services. Other prefixes may follow `sk-`: `sk-ant-api03-`, `sk-proj-`.
    "sk-(?!test)[A-Za-z0-9_-]{32,}",
    "gsk_[A-Za-z0-9]{40,}",
    "xai-[A-Za-z0-9]{40,}",
    "hf_[A-Za-z0-9]{30,}",
    "AIza[A-Za-z0-9_-]{35}",
    "(?:AKIA|ASIA)[A-Z0-9]{16}",
    "gh[pousr]_[A-Za-z0-9]{36}",
    "github_pat_[A-Za-z0-9_]{40,}",
  ].join("|")})`,
  "g",
);
