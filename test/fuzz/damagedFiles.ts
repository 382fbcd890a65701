import fc from "fast-check";
import { encodeRecord } from "../../src/chat/history/log/conversationFile.ts";
import { anyEvents } from "../unit/chat/history/sampleConversation.ts";

/** Damage to some bytes of a file, as by a broken disk, a bad copy or another program. */
interface Damage {
  /** Offset as a share of the file's length, from 0 to 1. */
  readonly at: number;
  readonly kind: "cut" | "flip" | "zero" | "insert" | "remove" | "repeat";
  readonly bytes: Uint8Array;
}

const damages: fc.Arbitrary<Damage> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  kind: fc.constantFrom("cut", "flip", "zero", "insert", "remove", "repeat"),
  bytes: fc.uint8Array({ minLength: 1, maxLength: 40 }),
});

const header = encodeRecord({
  type: "conversation",
  version: 1,
  id: "00000000-0000-4000-8000-000000000000",
  createdAt: "2026-01-01T00:00:00.000Z",
}).trimStart();

export function damage(file: Buffer, { at, kind, bytes }: Damage): Buffer {
  const start = Math.floor(at * file.length);
  const [before, after] = [file.subarray(0, start), file.subarray(start)];
  const rest = after.subarray(bytes.length);
  const struck = after.subarray(0, bytes.length);
  switch (kind) {
    case "cut":
      return before;
    case "flip":
      return Buffer.concat([before, struck.map((byte, index) => byte ^ (bytes[index] ?? 0)), rest]);
    case "zero":
      return Buffer.concat([before, Buffer.alloc(struck.length), rest]);
    case "insert":
      return Buffer.concat([before, bytes, after]);
    case "remove":
      return Buffer.concat([before, rest]);
    case "repeat":
      return Buffer.concat([before, struck, struck, rest]);
  }
}

/** One to four damages that apply to files of any length. */
export const anyDamages = fc.array(damages, { minLength: 1, maxLength: 4 });

/** Valid conversation files that were then damaged. */
export const damagedFiles: fc.Arbitrary<Buffer> = fc
  .tuple(fc.array(anyEvents, { maxLength: 4 }), anyDamages)
  .map(([batches, all]) => {
    const lines = batches.map((events, index) =>
      encodeRecord({ type: "events", writer: index % 2 === 0 ? "one" : "two", number: index + 1, events }),
    );
    return all.reduce<Buffer>(damage, Buffer.from(header + lines.join("")));
  });
