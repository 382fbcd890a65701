import { type Fields, isFields } from "../../protocol/conversation/json.ts";

/** The model ID in the setting that stands for all models. */
const allModels = "*";

export const requestFieldLimits = {
  /** Fields of one entry. */
  count: 50,
  /** Levels of objects and lists in a value. */
  nesting: 8,
  /** UTF-16 units of one entry as JSON. */
  characters: 32_768,
  /** UTF-16 units of a name. */
  name: 100,
} as const;

/** Why the setting, an entry, or a field is ignored. Never contains a value. */
export type RequestFieldProblem =
  | { readonly kind: "not-an-object" }
  /** The entry of a model is not an object, or is too large. */
  | { readonly kind: "entry" | "entry-too-large"; readonly model: string }
  /**
   * `reserved`: Inference Chat sets the field itself. `service-tools`: it adds tools that the service runs. `secret`:
   * the name or the value looks like a key. `value`: not JSON, or nested too deep. `name`: empty, too long, or with
   * invisible characters.
   *
   * `field` is empty if the name itself looks like a key. It is a path such as `options.stream` for a name in a value.
   */
  | {
      readonly kind: "reserved" | "service-tools" | "secret" | "value" | "name";
      readonly model: string;
      readonly field: string;
    };

export interface RequestFieldReading {
  /** The fields by model ID, or `*` for all models. */
  readonly entries: ReadonlyMap<string, Fields>;
  readonly problems: readonly RequestFieldProblem[];
}

/** Reads the setting `inference.chat.requestFields`. Unusable parts are skipped and reported as problems. */
export function readRequestFields(setting: unknown): RequestFieldReading {
  const entries = new Map<string, Fields>();
  if (setting === undefined || setting === null) return { entries, problems: [] };
  if (!isFields(setting)) return { entries, problems: [{ kind: "not-an-object" }] };
  const problems: RequestFieldProblem[] = [];
  for (const [model, entry] of Object.entries(setting)) {
    const problem = problemOfEntry(entry);
    if (problem !== undefined) problems.push({ kind: problem, model: shownName(model) });
    if (problem !== undefined || !isFields(entry)) continue;
    const kept = Object.entries(entry).filter(([field, value]) => {
      const found = problemOfField(field, value);
      if (found !== undefined)
        problems.push({ kind: found.kind, model: shownName(model), field: shownName(found.path) });
      return found === undefined;
    });
    entries.set(model, Object.fromEntries(kept));
  }
  return { entries, problems };
}

/**
 * Returns the fields of a model. Its own entry comes before the one for all models. `null` means that the field is not
 * sent to this model.
 */
export function requestFieldsOf({ entries }: RequestFieldReading, model: string): Fields {
  const joined = { ...entries.get(allModels), ...entries.get(model) };
  return Object.fromEntries(Object.entries(joined).filter(([, value]) => value !== null));
}

/** A name to show: shortened, and empty if it looks like a key. */
function shownName(name: string): string {
  return holdsKeyShape(name) ? "" : name.slice(0, requestFieldLimits.name);
}

function problemOfEntry(entry: unknown): "entry" | "entry-too-large" | undefined {
  if (!isFields(entry)) return "entry";
  if (Object.keys(entry).length > requestFieldLimits.count) return "entry-too-large";
  // A value that is no JSON is reported with the name of its field.
  const whole = Object.values(entry).filter((value) => isJson(value, requestFieldLimits.nesting));
  return JSON.stringify(whole).length > requestFieldLimits.characters ? "entry-too-large" : undefined;
}

type FieldProblem = Extract<RequestFieldProblem, { readonly field: string }>["kind"];

interface FoundProblem {
  readonly kind: FieldProblem;
  /** The name of the field, or the path to a name in its value. */
  readonly path: string;
}

function problemOfField(path: string, value: unknown): FoundProblem | undefined {
  const found = (kind: FieldProblem): FoundProblem => ({ kind, path });
  if (!/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]{1,100}$/u.test(path) || path.trim() !== path || path === "__proto__")
    return found("name");
  if (secretName.test(squash(path)) || keyShape.test(path)) return found("secret");
  const named = problemOfName(path);
  if (named !== undefined) return found(named);
  if (!isJson(value, requestFieldLimits.nesting)) return found("value");
  if (holdsKeyShape(value)) return found("secret");
  return problemInside(path, path, value);
}

function problemOfName(name: string): "reserved" | "service-tools" | undefined {
  if (isReserved(name)) return "reserved";
  return hasName(name, (squashed) => serviceTools.test(squashed)) ? "service-tools" : undefined;
}

/** Returns the first name in a value that the request sets itself. Gateways unpack values such as `parameters`. */
function problemInside(name: string, path: string, value: unknown): FoundProblem | undefined {
  if (typeof value !== "object" || value === null || freeNames.test(squash(name))) return undefined;
  for (const [innerName, inner] of Object.entries(value)) {
    const isItem = Array.isArray(value);
    const innerPath = isItem ? path : `${path}.${innerName}`;
    const kind = isItem ? undefined : problemOfName(innerName);
    if (kind !== undefined) return { kind, path: innerPath };
    const found = problemInside(isItem ? name : innerName, innerPath, inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Whether a value is JSON with at most this many levels of objects and lists. */
function isJson(value: unknown, levels: number): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || levels === 0) return false;
  const isPlain = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
  return isPlain && Object.values(value).every((each) => isJson(each, levels - 1));
}

/** Names without case and separators, so that each spelling is the same name. */
function squash(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "");
}

/**
 * Fields that Inference Chat sets itself, and other names that services know for them. Such a field could change the
 * model or the conversation. It could also exceed the token limit. Gateways unpack names such as `extra_body`.
 */
const reservedName =
  /^(?:model(?:s|ids?|name)?|messages?|prompt|inputs?|contents|conversation|system(?:prompt|instructions?|message)?|instructions?|developer|tools?|tool(?:choice|config)|functions|function(?:call|declarations)|stream(?:ing|options|config)?|n|candidatecount|num(?:choices|completions|returnsequences)|bestof|extra(?:body|query|headers|params))$/;

/** Words before a name that gateways take off, without separators. */
const prefix =
  /^(?:x|extrabody|extra|body|requestbody|request|req|openai|anthropic|azure|litellm|vllm|portkey|helicone|custom|override|default)/;

const tokenLimit =
  /max\w*token|token\w*(?:limit|max|cap|count)|(?:limit|cap)\w*token|min\w*tokens?$|(?:output|new|completion|generated?)tokens?$|tokensto(?:generate|sample|predict)|^(?:num|n)predict$|^max(?:gen|out|len|new|length|completion)/;

/** Fields that add tools which the service runs itself. */
const serviceTools =
  /^(?:mcpservers?|plugins?|(?:web)?searchoptions|searchparameters|(?:enable|use)?websearch|enablesearch)$/;

/** Whether Inference Chat sets this field itself, under any spelling of its name. */
export function isReserved(field: string): boolean {
  return hasName(field, (name) => reservedName.test(name) || tokenLimit.test(name));
}

/** Whether the name is one of these, with or without the words that gateways take off. */
function hasName(field: string, isOne: (squashed: string) => boolean): boolean {
  let name = squash(field);
  while (name !== "") {
    if (isOne(name)) return true;
    const rest = name.replace(prefix, "");
    if (rest === name) return false;
    name = rest;
  }
  return false;
}

/** Fields with names of a schema, of tokens, or of prices. They are no fields of the request. */
const freeNames =
  /^(?:response(?:format|schema|jsonschema)|guidedjson|jsonschema|outputformat|format|grammar|metadata|logitbias|maxprice)$/;

const secretName =
  /apikey|secret|passw|authorization|bearer|credential|^auth$|(?:auth|access|refresh|session|id)token$/;
const keyShape = /^\s*(?:bearer\s|eyJ[\w-]{10,}\.|(?:sk|pk|rk|ak|gsk|xai)[-_][\w-]{8,}\s*$)/i;

/** Whether a value contains a text or a name that looks like a key. */
function holdsKeyShape(value: unknown): boolean {
  if (typeof value === "string") return keyShape.test(value);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(
    ([name, inner]) => secretName.test(squash(name)) || keyShape.test(name) || holdsKeyShape(inner),
  );
}
