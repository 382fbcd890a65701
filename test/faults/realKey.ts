/** Keys as services give them out; those of tests say that they are none. */
export const realKey =
  /\b(?:sk-(?!test)(?:proj-|ant-|or-v1-)?[A-Za-z0-9]{32,}|gh[pousr]_[A-Za-z0-9]{36}|AKIA[A-Z0-9]{16}|hf_[A-Za-z0-9]{34})\b/g;
