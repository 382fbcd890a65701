import assert from "node:assert/strict";
import { setImmediate as turn, setTimeout as wait } from "node:timers/promises";
import { CheckedSecrets } from "../../../../src/editor/key/checkedSecrets.ts";
import { SecretStoreError } from "../../../../src/editor/shared/errorReason.ts";

/** Timeout of the storage in milliseconds. The short timeout ends within half of it. */
const timeoutMs = 300;

type Answer = (value: string | undefined) => void;

const never = <T>(): Promise<T> => new Promise(() => undefined);

/** A keyring that waits to be unlocked. Its `get` answers when the test calls a function of `answers`. */
function lockedStore() {
  const answers: Answer[] = [];
  const secrets = {
    keys: () => never<string[]>(),
    get: () => new Promise<string | undefined>((resolve) => answers.push(resolve)),
    store: () => never<void>(),
    delete: () => never<void>(),
    onDidChange: () => ({ dispose: () => undefined }),
  };
  return { secrets, answers };
}

/** Whether the store waited longer than half of the timeout. Rejects if the work succeeds. */
async function isWaitedFor(work: Promise<unknown>): Promise<boolean> {
  const isAt = assert.rejects(work, SecretStoreError).then(() => "its end");
  const first = await Promise.race([isAt, wait(timeoutMs / 2, "half")]);
  await isAt;
  return first === "half";
}

describe("secret storage that does not answer", () => {
  it("fails after the timeout, then after a short timeout until it answers", async () => {
    const { secrets, answers } = lockedStore();
    const late: string[] = [];
    const store = new CheckedSecrets(secrets, (name) => late.push(name), timeoutMs);
    assert.ok(await isWaitedFor(store.get("Acme")));
    assert.ok(!(await isWaitedFor(store.get("Other"))));
    assert.ok(!(await isWaitedFor(store.delete("Acme"))));
    assert.equal(await store.names(), undefined);
    assert.deepEqual(late, []);
    for (const answer of answers.splice(0)) answer("a key");
    await turn();
    assert.deepEqual(late, ["Acme", "Other"], "what was said in their place is outdated");
    assert.ok(await isWaitedFor(store.get("Acme")));
  });

  it("deletes the entry that tested the storage", async () => {
    const deleted: string[] = [];
    const secrets = { ...lockedStore().secrets, delete: async (name: string) => void deleted.push(name) };
    const store = new CheckedSecrets(secrets, () => undefined, 1);
    assert.equal(await store.put("Acme", "a key"), "failing");
    assert.equal(deleted.length, 1);
    assert.match(deleted[0] ?? "", /^inference\.probe\./);
  });
});
