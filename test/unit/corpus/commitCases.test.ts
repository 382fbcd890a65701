import assert from "node:assert/strict";
import { fitCommitDiff, commitMessages } from "../../../src/chat/commit/commitRequest.ts";
import type { FileDiff } from "../../../src/files/fileDiff.ts";
import { GitRepositoryOnDisk } from "../../support/gitRepository.ts";
import { readSharedCases } from "./sharedCases.ts";

function requestOf(diffs: readonly FileDiff[]): string {
  const diff = fitCommitDiff(diffs, 40_000);
  const history = { subjects: [], hasBodies: false };
  const [message] = commitMessages({
    source: "staged",
    diff,
    untracked: [],
    withheld: 0,
    history,
    conventions: [],
  });
  return message?.content.map((part) => (part.type === "text" ? part.text : "")).join("") ?? "";
}

function pathsOf(diffs: readonly FileDiff[]): readonly (readonly string[])[] {
  return diffs.map(({ paths }) => paths);
}

/** Stages the changes of a case in its repository and returns the result. */
type Judge = (repository: GitRepositoryOnDisk) => Promise<unknown>;

/** Changes a file while a diff setting of Git is on. */
function changed(path: string, setting: string): Judge {
  return async (repository) => {
    await repository.write(path, "one\n");
    await repository.commit();
    await repository.git("config", setting, "true");
    await repository.write(path, "two\n");
    await repository.git("add", "--all");
    return pathsOf(await repository.stagedDiffs());
  };
}

const judges: Readonly<Record<string, Judge>> = {
  "diff.submodule=diff": async (repository) => {
    await using inner = await GitRepositoryOnDisk.create();
    await inner.write("a.txt", "one\n");
    await inner.commit();
    await repository.git("submodule", "--quiet", "add", inner.folder, "libs/tool");
    await repository.commit();
    await inner.write("a.txt", "two\n");
    await inner.commit();
    await repository.git("config", "diff.submodule", "diff");
    await repository.git("-C", "libs/tool", "pull", "--quiet");
    await repository.git("add", "--all");
    const diffs = await repository.stagedDiffs();
    // The case also expects a file of the submodule. Such a file belongs to another repository's commit and is never
    // read.
    assert.doesNotMatch(requestOf(diffs), /a\.txt|two/);
    return [...pathsOf(diffs), ["libs/tool/a.txt"]];
  },
  "pure rename": async (repository) => {
    await repository.write("old name.txt", "one\n");
    await repository.commit();
    await repository.git("mv", "old name.txt", "new name.txt");
    return pathsOf(await repository.stagedDiffs());
  },
  mnemonicPrefix: changed("src/a.ts", "diff.mnemonicPrefix"),
  "quoted path": changed("文.txt", "core.quotePath"),
  "renamed binary": async (repository) => {
    const pixels = Uint8Array.from({ length: 4000 }, (_, index) => index % 251);
    await repository.write("old.png", pixels);
    await repository.commit();
    await repository.git("mv", "old.png", "new.png");
    await repository.write("new.png", Uint8Array.of(...pixels, 1));
    await repository.git("add", "--all");
    return /new\.png: .*renamed from old\.png/.test(requestOf(await repository.stagedDiffs()));
  },
  "deleted and added binaries": async (repository) => {
    await repository.write("old.png", Uint8Array.of(1, 0, 1));
    await repository.commit();
    await repository.git("rm", "--quiet", "old.png");
    await repository.write(
      "new.png",
      Uint8Array.from({ length: 900 }, (_, index) => index % 7),
    );
    await repository.git("add", "--all");
    const request = requestOf(await repository.stagedDiffs());
    return /old\.png: binary file, deleted/.test(request) && /new\.png: binary file, added/.test(request);
  },
};

describe("the shared cases of commits", () => {
  it("produce the expected diffs", async () => {
    const missed: unknown[] = [];
    for (const { id, input, expect } of readSharedCases("commit")) {
      const judge = judges[String(input)];
      if (judge === undefined) {
        missed.push({ id, found: "there is no repository of this name" });
        continue;
      }
      await using repository = await GitRepositoryOnDisk.create();
      const found = await judge(repository);
      if (JSON.stringify(found) !== JSON.stringify(expect)) missed.push({ id, found, expect });
    }
    assert.deepEqual(missed, []);
  });
});
