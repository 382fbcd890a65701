import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createDeflate,
  createGzip,
  createZstdCompress,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from "node:zlib";
import type { Endings, Fault, Scene } from "../fault.ts";
import { firstText } from "../goodAnswers.ts";
import type { Line } from "../line.ts";
import { chunkedHead, chunkOf, lastChunk, sizedHead } from "../rawAnswers.ts";

const unreadable: Endings = { chat: "server-error", whole: "server-error", list: "server-error" };
const broken: Endings = { chat: "interrupted", whole: "interrupted", list: "interrupted" };
const megabyte = 1024 * 1024;
const bombMegabytes = 100;
/** Bytes. Decompressing a whole bomb takes more memory, even if the client then refuses the result. */
const bombMemory = 96 * megabyte;
/** Bytes that are invalid in the middle of any coding. */
const rubbish = Buffer.alloc(4096, 0xee);

type Compressor = ReturnType<typeof createGzip | typeof createBrotliCompress>;

interface Coding {
  readonly coding: string;
  readonly compress: (bytes: Uint8Array) => Buffer;
  readonly create: () => Compressor;
}

const codings: readonly Coding[] = [
  { coding: "gzip", compress: (bytes) => gzipSync(bytes), create: () => createGzip() },
  { coding: "deflate", compress: (bytes) => deflateSync(bytes), create: () => createDeflate() },
  {
    coding: "br",
    compress: (bytes) => brotliCompressSync(bytes),
    // The highest quality takes seconds for a bomb.
    create: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  },
  { coding: "zstd", compress: (bytes) => zstdCompressSync(bytes), create: () => createZstdCompress() },
];

/** Compresses `bytes` without ending the compressed stream. A client can read all of `bytes` from the result. */
async function beginningOf(create: () => Compressor, bytes: Uint8Array): Promise<Buffer> {
  const coder = create();
  const pieces: Buffer[] = [];
  coder.on("data", (piece: Buffer) => pieces.push(piece));
  coder.write(bytes);
  await new Promise<void>((resolve) => {
    coder.flush(() => resolve());
  });
  // The data event may come one turn after the flush.
  if (pieces.length === 0) await once(coder, "data");
  return Buffer.concat(pieces);
}

/** Compresses `start` and 100 MB of the letter "x", in pieces to save memory. */
async function createBomb(create: () => Compressor, start: string): Promise<Buffer> {
  const coder = create();
  const packed = buffer(coder);
  coder.write(start);
  const letters = Buffer.alloc(megabyte, "x");
  for (let written = 0; written < bombMegabytes; written += 1)
    if (!coder.write(letters)) await once(coder, "drain");
  coder.end();
  return packed;
}

/** Sends the answer up to its first text, and resolves when the client has begun to read the body. */
async function sendBeginning(
  { coding, create }: Pick<Coding, "coding" | "create">,
  line: Line,
  { body, bodyRead }: Scene,
): Promise<void> {
  await line.send(chunkedHead(body, { "content-encoding": coding }));
  await line.send(chunkOf(await beginningOf(create, body.bytes.subarray(0, body.marks.firstText))));
  await bodyRead;
}

function compressed(
  coding: string,
  compress: (bytes: Uint8Array) => Uint8Array,
): Pick<Fault, "keepsLine" | "answer"> {
  return {
    keepsLine: true,
    answer: async (line, { body }) => {
      const bytes = Buffer.from(compress(body.bytes));
      await line.send(sizedHead({ ...body, bytes }, bytes.length, { "content-encoding": coding }));
      await line.send(bytes);
    },
  };
}

const bombs = new Map<string, Buffer>();

async function bombFor(
  { coding, create }: Pick<Coding, "coding" | "create">,
  { flow }: Scene,
): Promise<Buffer> {
  const start = flow === "chat" ? "data: " : '{"data":"';
  const bomb = bombs.get(coding + start) ?? (await createBomb(create, start));
  bombs.set(coding + start, bomb);
  return bomb;
}

export const codingFaults: readonly Fault[] = [
  ...codings.flatMap(({ coding, compress, create }): readonly Fault[] => [
    { name: `${coding}, correct`, ends: "works", ...compressed(coding, compress) },
    {
      name: `${coding}, corrupt after the first text`,
      ends: unreadable,
      text: firstText,
      answer: async (line, scene) => {
        await sendBeginning({ coding, create }, line, scene);
        await line.send(chunkOf(rubbish));
        await line.send(lastChunk);
      },
      keepsLine: true,
    },
    {
      name: `${coding}, corrupt after the first text of a body that does not end`,
      ends: unreadable,
      text: firstText,
      answer: async (line, scene) => {
        await sendBeginning({ coding, create }, line, scene);
        await line.send(chunkOf(rubbish));
      },
    },
    {
      name: `${coding}, reset after the first text`,
      ends: broken,
      text: firstText,
      answer: async (line, scene) => {
        await sendBeginning({ coding, create }, line, scene);
        line.reset();
      },
    },
    {
      name: `${coding}, ended after the first text`,
      ends: broken,
      text: firstText,
      answer: async (line, scene) => {
        await sendBeginning({ coding, create }, line, scene);
        await line.send(lastChunk);
      },
      keepsLine: true,
    },
    {
      name: `${coding} in the header, but a body without compression`,
      ends: unreadable,
      ...compressed(coding, (bytes) => bytes),
    },
    {
      name: `${coding}, a bomb of 100 MB`,
      ends: "server-error",
      slow: true,
      prepare: async (scene) => void (await bombFor({ coding, create }, scene)),
      answer: async (line, scene) => {
        const { body } = scene;
        const bomb = await bombFor({ coding, create }, scene);
        await line.send(sizedHead({ ...body, bytes: bomb }, bomb.length, { "content-encoding": coding }));
        await line.send(bomb);
      },
      memory: bombMemory,
      keepsLine: true,
    },
  ]),
  {
    name: "deflate without a zlib header",
    ends: "works",
    ...compressed("deflate", (bytes) => deflateRawSync(bytes)),
  },
  {
    name: "gzip, then brotli, applied to the same body",
    ends: "works",
    ...compressed("gzip, br", (bytes) => brotliCompressSync(gzipSync(bytes))),
  },
  { name: "a coding in capital letters", ends: "works", ...compressed("GZIP", (bytes) => gzipSync(bytes)) },
  { name: "the coding 'identity'", ends: "works", ...compressed("identity", (bytes) => bytes) },
  {
    name: "an unknown coding",
    ends: "not-an-api",
    ...compressed("x-own", (bytes) => bytes.map((byte) => byte ^ 0x55)),
  },
];
