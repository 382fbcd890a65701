import { attachmentLimits } from "../transcript/attachments.ts";
import type { ResultImage } from "../transcript/steps.ts";
import { isFields, type Fields } from "../../protocol/conversation/json.ts";
import { createHash } from "node:crypto";
import { createContext, Script } from "node:vm";
import { type Schema, type SchemaDraft, Validator } from "@cfworker/json-schema";
import type { Tool } from "../../protocol/conversation/conversation.ts";
import { canonicalJson } from "./loopGuard.ts";

/** A result of a tool of others. */
export interface ReadResult {
  readonly text: string;
  readonly images: readonly ResultImage[];
  /** The text was cut, maybe in the middle of a key. */
  readonly isCut: boolean;
}

/** UTF-16 units that are read. Far more than the model gets, since taking out keys makes a text shorter. */
const maxReadLength = 1_000_000;
/** Images of a result. The model gets a note on the others. */
const maxImages = 4;
/** Bytes of all images of a result. */
const maxImageBytes = 2 * attachmentLimits.imageBytes;
/** Image types that services accept. */
const imageTypes: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

const linkType = "application/vnd.code.resource-link";

/** Parts of a result by their shape, because VS Code's types of 1.105 do not have them all. */
type ReadPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "data"; readonly mediaType: string; readonly bytes: Uint8Array }
  | { readonly type: "unknown" };

function readPart(part: unknown): ReadPart {
  if (!isFields(part)) return { type: "unknown" };
  const { value, mimeType, data } = part;
  if (typeof value === "string") return { type: "text", text: value };
  if (typeof mimeType === "string" && data instanceof Uint8Array)
    return { type: "data", mediaType: mimeType.toLowerCase(), bytes: data };
  return { type: "unknown" };
}

/** Reads the parts of a result. Parts that the model cannot get become notes. */
export function readToolResult(parts: readonly unknown[]): ReadResult {
  const images: ResultImage[] = [];
  const texts: string[] = [];
  let [length, imageBytes, isCut] = [0, 0, false];
  const add = (text: string): void => {
    const room = maxReadLength - length;
    isCut ||= text.length > room;
    if (room > 0) texts.push(text.slice(0, room));
    length += text.length;
  };
  for (const part of parts.map(readPart)) {
    if (part.type === "text") add(part.text);
    else if (part.type === "unknown") add("(A part that only VS Code can show was left out.)");
    else if (!imageTypes.has(part.mediaType)) add(textOfData(part.mediaType, part.bytes));
    else if (images.length >= maxImages || imageBytes + part.bytes.length > maxImageBytes)
      add(
        `(An image of ${part.bytes.length} bytes was left out: a result can have ${maxImages} images, 10 MB in all.)`,
      );
    else {
      imageBytes += part.bytes.length;
      images.push({ mediaType: part.mediaType, data: Buffer.from(part.bytes).toString("base64") });
    }
  }
  return { text: texts.join("\n"), images, isCut };
}

function textOfData(mediaType: string, bytes: Uint8Array): string {
  if (mediaType === linkType) {
    const uri = uriOf(bytes);
    if (uri !== undefined) return `(A link to the resource ${uri})`;
  }
  if (mediaType.startsWith("text/") || mediaType === "application/json")
    // A character has 4 bytes at most, so that enough is decoded.
    return new TextDecoder().decode(bytes.subarray(0, 4 * maxReadLength + 4));
  return `(Data of the type ${mediaType.slice(0, 100)}, ${bytes.length} bytes, was left out.)`;
}

function uriOf(bytes: Uint8Array): string | undefined {
  try {
    const link: unknown = JSON.parse(new TextDecoder().decode(bytes));
    const uri = isFields(link) ? link["uri"] : undefined;
    if (typeof uri === "string") return uri;
    const { scheme, authority, path } = isFields(uri) ? uri : {};
    return typeof scheme === "string" && typeof path === "string"
      ? `${scheme}://${typeof authority === "string" ? authority : ""}${path}`
      : undefined;
  } catch {
    return undefined;
  }
}

/** A tool of an MCP server or of another extension. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly schema: Fields;
}

/** A SHA-256 hash of all that the model and the user know of a tool. */
export function hashTool({ name, description, schema }: ListedTool): string {
  return createHash("sha256")
    .update(canonicalJson([name, description, schema]))
    .digest("hex");
}

/** Names that both client styles accept. */
const wireName = /^[\w-]{1,64}$/;
const hashLength = 8;

/**
 * The name under which a tool is offered. A name that a service would refuse, or that is taken, gets the start of its
 * hash. So the name stays the same while other tools come and go.
 */
export function offeredName(name: string, taken: ReadonlySet<string>): string {
  if (wireName.test(name) && !taken.has(name)) return name;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, hashLength);
  const start = name.replaceAll(/[^\w-]/g, "_").slice(0, 63 - hashLength);
  return `${start}_${hash}`;
}

/** The tool as it is offered to the model. Services require the schema of an object. */
export function describeListed({ description, schema }: ListedTool, name: string): Tool {
  const properties = isFields(schema["properties"]) ? schema["properties"] : {};
  return { name, description, schema: { ...schema, type: "object", properties } };
}

/** A schema of a stranger may hold a regular expression that takes very long. */
const timeoutMs = 1000;
/** Faults that are named. */
const maxFaults = 5;

/**
 * Returns what is wrong with the arguments of a call; undefined if they fit. A schema that cannot be read, or takes
 * too long, fits nothing.
 */
export function findArgumentFaults(schema: Fields, given: Fields): string | undefined {
  try {
    const { valid, errors } = validateInTime(schema, given);
    if (valid) return undefined;
    const faults = errors.map(
      ({ instanceLocation, error }) => `${instanceLocation.slice(1) || "/"}: ${error}`,
    );
    return faults.slice(-maxFaults).join("\n");
  } catch (error) {
    return `The schema of the tool cannot be used: ${error instanceof Error ? error.message : "it takes too long."}`;
  }
}

/** V8 ends a script of `node:vm` in the middle of a match, which nothing else can. */
function validateInTime(schema: Schema, given: Fields): ReturnType<Validator["validate"]> {
  let result: ReturnType<Validator["validate"]> = { valid: false, errors: [] };
  const validate = (): void => {
    result = new Validator(schema, draftOf(schema), false).validate(given);
  };
  new Script("validate()").runInContext(createContext({ validate }), { timeout: timeoutMs });
  return result;
}

function draftOf({ $schema }: Schema): SchemaDraft {
  if ($schema?.includes("draft-04") === true) return "4";
  if (/draft-0[67]/.test($schema ?? "")) return "7";
  return $schema?.includes("2019-09") === true ? "2019-09" : "2020-12";
}
