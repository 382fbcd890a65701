import * as v from "valibot";
import * as vscode from "vscode";
import type { ModelLimits } from "../../chat/session/contextWindow.ts";
import { ratioBounds, recalibrate, type TokenRatio, usualRatio } from "../../chat/session/tokenEstimate.ts";
import type { Addressee } from "../../client/request/requestMemory.ts";
import type { Connection } from "../../connection/setup/connection.ts";
import type { ClientStyle } from "../../protocol/conversation/wireStyle.ts";
import type { ModelCatalog } from "./modelCatalog.ts";
import { addresseeOf } from "../service/modelCapabilities.ts";
import { readMaxTokensSetting } from "../workspace/settings.ts";
import type { State } from "../workspace/state.ts";

const stateKey = "inference.tokenRatios";
/** Maximum number of remembered models. The least recently updated model is dropped first. */
const maxModels = 200;

function isRatio(charactersPerToken: number): boolean {
  return charactersPerToken >= ratioBounds.min && charactersPerToken <= ratioBounds.max;
}

const ratiosSchema = v.record(
  v.string(),
  v.object({
    charactersPerToken: v.pipe(v.number(), v.check(isRatio)),
    samples: v.pipe(v.number(), v.integer(), v.minValue(0)),
  }),
);

interface ModelRoomsOptions {
  readonly state: State;
  readonly catalog: ModelCatalog;
  /** The capabilities that decide what is sent to a model. */
  readonly taken: (addressee: Addressee) => Pick<ModelLimits, "takesImages" | "takesPdf">;
}

/** The limits of each model, and the average length of its tokens as the services have counted them. */
export class ModelLimitStore implements vscode.Disposable {
  readonly #options: ModelRoomsOptions;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;

  /** Fires when a count changes an estimate, or when a list of models changes. */
  readonly onDidChange = this.#changed.event;

  constructor(options: ModelRoomsOptions) {
    this.#options = options;
    this.#subscription = options.catalog.onDidChange(() => this.#changed.fire());
  }

  limitsOf(connection: Connection, modelId: string, clientStyle: ClientStyle): ModelLimits {
    const { catalog } = this.#options;
    const model = catalog.lastKnown(connection)?.models.find(({ id }) => id === modelId);
    const maxTokens = Math.min(readMaxTokensSetting(), model?.maxOutputTokens ?? Infinity);
    const { charactersPerToken } = this.#ratios()[ratioKey(connection, modelId)] ?? usualRatio;
    return {
      maxTokens,
      charactersPerToken,
      ...this.#options.taken(addresseeOf(connection, modelId, clientStyle)),
      ...(model?.contextWindow === undefined ? {} : { contextWindow: model.contextWindow }),
      ...(catalog.isUnasked(connection) ? { isUnasked: true } : {}),
    };
  }

  /** Updates a model's characters per token from a request whose tokens the service has counted. */
  async learn(
    connection: Connection,
    modelId: string,
    characters: number,
    inputTokens: number,
  ): Promise<void> {
    const { [ratioKey(connection, modelId)]: known = usualRatio, ...others } = this.#ratios();
    const ratio: TokenRatio = recalibrate(known, characters, inputTokens);
    if (ratio === known) return;
    const kept = [...Object.entries(others), [ratioKey(connection, modelId), ratio] as const].slice(
      -maxModels,
    );
    await this.#options.state.update(stateKey, Object.fromEntries(kept));
    this.#changed.fire();
  }

  dispose(): void {
    this.#subscription.dispose();
    this.#changed.dispose();
  }

  #ratios(): Readonly<Record<string, TokenRatio>> {
    const parsed = v.safeParse(ratiosSchema, this.#options.state.get(stateKey));
    return parsed.success ? parsed.output : {};
  }
}

function ratioKey(connection: Connection, modelId: string): string {
  return `${originOf(connection)} ${modelId}`;
}

function originOf({ address }: Connection): string {
  return address.kind === "address" ? address.address.origin : "";
}
