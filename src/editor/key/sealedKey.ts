import * as v from "valibot";

const sealedKeySchema = v.object({ key: v.string(), origin: v.string() });

/** What the secret store keeps: the key and the origin it was given for. */
export type SealedKey = v.InferOutput<typeof sealedKeySchema>;

export function writeSealedKey({ key, origin }: SealedKey): string {
  return JSON.stringify({ key, origin });
}

/** Undefined where the text is not what was once written. */
export function readSealedKey(text: string): SealedKey | undefined {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), sealedKeySchema), text);
  return parsed.success ? parsed.output : undefined;
}
