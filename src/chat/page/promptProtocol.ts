/** What is asked of the host about prompts, which are typed behind a `/`. */
export type PromptRequest =
  /** Asks for offers; answered by `context-offers`. */
  | { readonly type: "find"; readonly searchId: number; readonly typed: string }
  /** Attaches what the prompt is about, so that it is seen before it is sent. */
  | { readonly type: "choose"; readonly name: string };
