import type { KeyRecord } from "./keyRing.ts";
import { waysToSayKey } from "./saidBack.ts";
import type { Style } from "./style.ts";

/** 2026-01-01. All models have the same fixed creation time, so that lists never differ. */
const created = 1_767_225_600;

/** The models of a service, and which of them a key may see. */
export class ModelCatalogue {
  readonly #identifiers: readonly string[];
  /** Tokens of each model's context window; undefined if the service does not report it. */
  readonly contextWindow: number | undefined;

  constructor(identifiers: readonly string[], contextWindow?: number) {
    this.#identifiers = [...new Set(identifiers)];
    this.contextWindow = contextWindow;
  }

  has(model: string): boolean {
    return this.#identifiers.includes(model);
  }

  /** The models that a key may use, in the catalog's order. */
  allowedTo({ terms }: KeyRecord): readonly string[] {
    const { models } = terms;
    return models === undefined ? this.#identifiers : this.#identifiers.filter((id) => models.includes(id));
  }
}

/** Returns a model list (specification, section 4.1) in the format of the client's style. */
export function convertModelList(
  allowed: readonly string[],
  style: Style,
  contextWindow?: number,
  saidKey?: string,
): object {
  const said = saidKey === undefined ? [] : Object.values(waysToSayKey).map((say) => say(saidKey));
  const models = [...allowed, ...said.map((piece) => `model-${piece}`)];
  const saidAt = (index: number): string | undefined => said[index % said.length];
  const room = contextWindow === undefined ? {} : { max_model_len: contextWindow };
  if (style === "chat-completions") {
    return {
      object: "list",
      data: models.map((id, index) => ({
        id,
        object: "model",
        created,
        owned_by: saidAt(index) ?? "service",
        ...room,
      })),
    };
  }
  return {
    data: models.map((id, index) => ({
      type: "model",
      id,
      display_name: saidAt(index) ?? id,
      created_at: new Date(created * 1000).toISOString(),
      ...room,
    })),
    has_more: false,
    first_id: models[0] ?? null,
    last_id: models.at(-1) ?? null,
  };
}
