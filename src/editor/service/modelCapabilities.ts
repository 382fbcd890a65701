import type { Addressee } from "../../client/request/requestMemory.ts";
import type { ModelLimits } from "../../chat/session/contextWindow.ts";
import type { Connection } from "../../connection/setup/connection.ts";
import type { ClientStyle } from "../../protocol/conversation/wireStyle.ts";
import type { CompatibilityStore } from "./compatibilityStore.ts";
import { readCapabilitySetting } from "../workspace/settings.ts";

/** Whether a model has a feature, and how that is known. An unknown feature is not offered. */
export interface Capability {
  readonly has: boolean;
  readonly by: "setting" | "verification" | "refusal" | "unclear" | "nothing";
}

export interface ModelCapabilities {
  readonly tools: Capability;
  readonly images: Capability;
  readonly pdf: Capability;
}

/** Identifies a model of a connection. A connection without a valid base URL has an empty origin. */
export function addresseeOf({ address }: Connection, model: string, clientStyle: ClientStyle): Addressee {
  const origin = address.kind === "address" ? address.address.origin : "";
  return { origin, model, clientStyle };
}

/** The user's setting comes first, then a refusal by the service, then the verification. */
export function capabilitiesOf(compatibility: CompatibilityStore, addressee: Addressee): ModelCapabilities {
  const setting = readCapabilitySetting(addressee.model);
  const { learnt } = compatibility.seen(addressee);
  const refused = learnt.some(({ adaptation }) => adaptation.kind === "omit" && adaptation.field === "tools");
  return {
    tools: capability(setting.toolCalling, refused, compatibility.stateOf(addressee, "tools")),
    images: capability(setting.imageInput, false, compatibility.stateOf(addressee, "image")),
    pdf: capability(setting.pdfInput, false, compatibility.stateOf(addressee, "pdf")),
  };
}

/** Whether a model takes images and PDF files, by the same rule as its declared capabilities. Absent if unknown. */
export function takenBy(
  compatibility: CompatibilityStore,
  addressee: Addressee,
): Pick<ModelLimits, "takesImages" | "takesPdf"> {
  const { images, pdf } = capabilitiesOf(compatibility, addressee);
  return {
    ...(isKnown(images) ? { takesImages: images.has } : {}),
    ...(isKnown(pdf) ? { takesPdf: pdf.has } : {}),
  };
}

function isKnown({ by }: Capability): boolean {
  return by !== "nothing" && by !== "unclear";
}

function capability(
  set: boolean | undefined,
  refused: boolean,
  seen: ReturnType<CompatibilityStore["stateOf"]>,
): Capability {
  if (set !== undefined) return { has: set, by: "setting" };
  if (refused) return { has: false, by: "refusal" };
  if (seen === "unknown") return { has: false, by: "nothing" };
  return seen === "unclear" ? { has: false, by: "unclear" } : { has: seen === "yes", by: "verification" };
}
