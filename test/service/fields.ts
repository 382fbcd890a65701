import {
  array,
  integer,
  literal,
  looseObject,
  maxValue,
  minLength,
  minValue,
  nullish,
  number,
  optional,
  picklist,
  pipe,
  record,
  regex,
  string,
  transform,
  union,
  variant,
} from "valibot";

/** Limit on generated tokens: at least 1 (specification, section 4.2); no upper limit is known. */
export const tokenCap = pipe(
  number(),
  integer("a whole number is needed"),
  minValue(1, "a number of 1 or more is needed"),
);

/** The text, images and PDF files of a message in either style. */
export interface Said {
  readonly text: string;
  readonly images: readonly Buffer[];
  readonly pdfs: readonly SaidPdf[];
}

export interface SaidPdf {
  readonly name: string;
  readonly bytes: Buffer;
}

export const saysNothing: Said = { text: "", images: [], pdfs: [] };

export const textPart = pipe(
  looseObject({ type: literal("text"), text: string() }),
  transform(({ text }): Said => ({ ...saysNothing, text })),
);

/** An image as a data URL; the service fetches no other URLs. */
export const imageUrlPart = pipe(
  looseObject({
    type: literal("image_url"),
    image_url: looseObject({
      url: pipe(string(), regex(/^data:image\/\w+;base64,/u, "a data URL of an image is needed")),
    }),
  }),
  transform(({ image_url: { url } }): Said => toImage(url.slice(url.indexOf(",") + 1))),
);

export const imageBlock = pipe(
  looseObject({
    type: literal("image"),
    source: looseObject({ type: literal("base64"), media_type: string(), data: string() }),
  }),
  transform(({ source }): Said => toImage(source.data)),
);

function toImage(base64: string): Said {
  return { ...saysNothing, images: [Buffer.from(base64, "base64")] };
}

/** A PDF file as a data URL. Real services of this style want its name. */
export const filePart = pipe(
  looseObject({
    type: literal("file"),
    file: looseObject({
      filename: pipe(string(), minLength(1, "a name is needed")),
      file_data: pipe(
        string(),
        regex(/^data:application\/pdf;base64,/u, "a data URL of a PDF file is needed"),
      ),
    }),
  }),
  transform(({ file: { filename, file_data: url } }): Said =>
    toPdf(filename, url.slice(url.indexOf(",") + 1)),
  ),
);

export const documentBlock = pipe(
  looseObject({
    type: literal("document"),
    source: looseObject({ type: literal("base64"), media_type: literal("application/pdf"), data: string() }),
    title: nullish(string(), ""),
  }),
  transform(({ source, title }): Said => toPdf(title, source.data)),
);

function toPdf(name: string, base64: string): Said {
  return { ...saysNothing, pdfs: [{ name, bytes: Buffer.from(base64, "base64") }] };
}

export const plainText = pipe(
  string(),
  transform((text): Said => ({ ...saysNothing, text })),
);

export function joinSaid(parts: readonly Said[]): Said {
  return {
    text: parts
      .map(({ text }) => text)
      .filter((text) => text !== "")
      .join("\n"),
    images: parts.flatMap(({ images }) => images),
    pdfs: parts.flatMap(({ pdfs }) => pdfs),
  };
}

/** A message's text: a string or a list of text parts. */
export const textContent = union([
  plainText,
  pipe(
    array(textPart),
    transform((parts) => joinSaid(parts)),
  ),
]);

/** A tool's schema, reduced to the type of each property. */
export const toolSchema = pipe(
  nullish(
    looseObject({
      properties: optional(
        record(string(), looseObject({ type: optional(union([string(), array(string())]), "string") })),
        {},
      ),
    }),
    { properties: {} },
  ),
  transform(({ properties }) =>
    Object.fromEntries(Object.entries(properties).map(([name, { type }]) => [name, String(type)])),
  ),
);

export const effortLevel = picklist(["minimal", "low", "medium", "high"]);

/** Thinking with a budget of at least 1,024 tokens. */
export const thinkingField = variant("type", [
  looseObject({ type: literal("disabled") }),
  looseObject({
    type: literal("enabled"),
    budget_tokens: pipe(
      number(),
      integer("a whole number is needed"),
      minValue(1024, "Input should be greater than or equal to 1024"),
    ),
  }),
]);

export const temperature = pipe(number(), minValue(0), maxValue(2));

export const plainChoice = picklist(["auto", "none", "required"]);
