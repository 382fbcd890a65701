import { stat } from "node:fs/promises";
import { buildAll } from "../../build/buildAll.ts";
import { extensionsVariable } from "../support/endToEnd.ts";
import { bytesBehind, bytesOfFirstLoad } from "../support/loadedBytes.ts";
import { packagedExtension, packageExtension } from "../support/packageExtension.ts";
import { projectRoot } from "../support/paths.ts";
import { atMost, type BenchRow, type Figure } from "./benchRow.ts";

/** Row 6: what is downloaded, what activation reads, what the page reads first. */
export async function benchSize(): Promise<readonly BenchRow[]> {
  const { size: whole } = await stat(await providePackage());
  const { host, page } = await buildAll(projectRoot);
  const activation = bytesBehind(host, "dist/host/extension.cjs");
  const firstLoad = bytesOfFirstLoad(page);
  return [
    rowOf("VSIX, whole", whole, 1_048.576),
    rowOf("code that activation reads", activation),
    rowOf("first load of the chat page", firstLoad),
  ];
}

/** Among other tests it is there, and what was built for it is in use. */
async function providePackage(): Promise<string> {
  return process.env[extensionsVariable] === undefined ? packageExtension() : packagedExtension;
}

function rowOf(what: string, bytes: number, most?: number): BenchRow {
  const ours: Figure = { name: "ours", value: bytes / 1_000, unit: "KB" };
  const goals = most === undefined ? [] : [atMost("KB", ours.value, most)];
  return { what, ours: [ours], peers: [], limits: [], goals };
}
