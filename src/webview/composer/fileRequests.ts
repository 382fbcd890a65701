import { attachmentLimits } from "../../chat/transcript/attachments.ts";
import type { ContextRequest } from "../../chat/page/protocol.ts";

/** A file of the system, as it was dropped or pasted. */
interface GivenFile {
  readonly name: string;
  /** Such as `image/png`. */
  readonly type: string;
  /** Bytes. */
  readonly size: number;
}

/** What attaches the files as far as it can be done, and has the editor say of the others that it cannot. */
export async function requestFiles<Given extends GivenFile>(
  files: readonly Given[],
  readBase64: (file: Given) => Promise<string>,
): Promise<readonly ContextRequest[]> {
  const taken = files.slice(0, attachmentLimits.count);
  const requests = await Promise.all(taken.map((file) => requestFile(file, readBase64)));
  return [...requests, ...refuseRest(files.length)];
}

/** Where there are more than one question takes. */
export function refuseRest(given: number): readonly ContextRequest[] {
  const count = given - attachmentLimits.count;
  return count > 0 ? [{ type: "refuse-rest", count }] : [];
}

async function requestFile<Given extends GivenFile>(
  file: Given,
  readBase64: (file: Given) => Promise<string>,
): Promise<ContextRequest> {
  const { name, type, size } = file;
  if (size > attachmentLimits.imageBytes) return { type: "refuse-data", name, bytes: size };
  try {
    return { type: "attach-data", name, mediaType: type, data: await readBase64(file) };
  } catch {
    // It is gone, may not be read, or is a folder.
    return { type: "refuse-data", name };
  }
}
