import assert from "node:assert/strict";
import { FileMatches } from "../../../src/files/fileMatches.ts";
import { isSensitiveName } from "../../../src/files/sensitiveName.ts";
import { processorTime } from "../processorTime.ts";

describe("FileMatches", () => {
  const paths = ["src/summary/index.ts", "lib/mySummary.ts", "src/summary.ts", "docs/s-u-m.md", "other.txt"];

  it("sorts the best match first", () => {
    assert.deepEqual(
      [...new FileMatches(paths).find("sum")],
      ["src/summary.ts", "lib/mySummary.ts", "src/summary/index.ts", "docs/s-u-m.md"],
    );
    assert.deepEqual([...new FileMatches(paths).find("SRC/SUM")], ["src/summary.ts", "src/summary/index.ts"]);
    assert.equal([...new FileMatches(paths).find("")].length, paths.length);
    assert.deepEqual([...new FileMatches(paths).find("zzz")], []);
  });

  it("finds the same files after any earlier search", () => {
    const matches = new FileMatches(paths);
    for (const typed of ["", "s", "su", "sum", "summary.ts", "sum", "zzz", "zzzz", "o", "SRC", "src/S", ""])
      assert.deepEqual([...matches.find(typed)], [...new FileMatches(paths).find(typed)], typed);
  });

  it("is quick with 100,000 files", () => {
    const many = Array.from(
      { length: 100_000 },
      (_, index) => `packages/part${index % 97}/src/file${index}.ts`,
    );
    const time = processorTime(() => {
      const [first] = new FileMatches(many).find("file9999");
      assert.equal(first, "packages/part8/src/file9999.ts");
    });
    assert.ok(time < 1000, `${time} ms`);
  });
});

describe("isSensitiveName", () => {
  const asked = [
    ".env",
    ".env.local",
    "a/.ENV",
    "prod.env",
    "x/server.pem",
    "tls.key",
    "id_rsa",
    "id_ed25519",
  ];
  const askedToo = [
    "credentials",
    ".aws/credentials.json",
    "secrets.yaml",
    ".npmrc",
    "service-account-1.json",
    ..."terraform.tfstate.backup x/prod.tfvars.json a.auto.tfvars .terraformrc vault_pass.txt".split(" "),
    ..."me/.kube/config .docker/config.json .DOCKER/CONFIG.JSON .aws/config .ssh/config .ssh/id_work".split(
      " ",
    ),
    ..."C:/Users/me/.kube/config .config/gh/hosts.yml .cargo/credentials.toml .m2/settings.xml .git/config".split(
      " ",
    ),
    ..."x/.s3cfg .boto local.settings.json .dev.vars .env-prod .pgpass wp-config.php kubeconfig.yaml".split(
      " ",
    ),
    ..."client_secret_1.json my-firebase-adminsdk-x.json passwords.txt api_keys.json .bash_history".split(
      " ",
    ),
    ..."deploy_id_rsa app.keystore a.kdbx rclone.conf .databrickscfg .git-credentials .mylogin.cnf".split(
      " ",
    ),
  ];
  const free = [
    ".env.example",
    "id_rsa.pub",
    "environment.ts",
    "keyboard.ts",
    "monkey.md",
    "C:/Users/RUNNER~1/a.ts",
    "credentials.ts.snap",
    ..."tokens.ts key.md config src/config docker/config.json kube/config .env.local.example sample.env".split(
      " ",
    ),
    ..."secrets.ts credentials.md auth.json locales/en/auth.json public.key server-pub.pem .ssh/known_hosts".split(
      " ",
    ),
    ..."passwords.spec.ts secret_manager.py main.tfvars.example secrets.example.yaml src/credentials/index.ts".split(
      " ",
    ),
  ];
  const otherForms = [
    ".env::$DATA",
    "a/.ENV. ",
    ".env\u200c",
    "SECRET~1",
    ".ssh./id_work",
    "c:/x/.git::$INDEX_ALLOCATION/config",
  ];
  for (const name of [...asked, ...askedToo, ...otherForms]) {
    it(`asks about ${name}`, () => assert.ok(isSensitiveName(name)));
  }
  for (const name of free) {
    it(`does not ask about ${name}`, () => assert.ok(!isSensitiveName(name)));
  }
});
