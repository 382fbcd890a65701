import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { inspect } from "node:util";
import { ApiKey } from "../../../../src/client/key/apiKey.ts";
import type { CallRecord } from "../../../../src/client/request/call.ts";
import { createEditorTransport } from "../../../../src/client/transport/editorTransport.ts";
import { InferenceError } from "../../../../src/client/failure/failure.ts";
import type { InferenceClient } from "../../../../src/client/request/inferenceClient.ts";
import { createUndiciTransport } from "../../../../src/client/transport/undiciTransport.ts";
import { buildCheckReport } from "../../../../src/connection/check/checkReport.ts";
import {
  type ProbeResult,
  probeIds,
  probeSteps,
} from "../../../../src/connection/compatibility/compatibility.ts";
import {
  compatibilityJson,
  compatibilityReport,
} from "../../../../src/connection/compatibility/compatibilityReport.ts";
import { verifyCompatibility } from "../../../../src/connection/compatibility/compatibilityVerification.ts";
import { readConnections } from "../../../../src/connection/setup/connection.ts";
import { checkConnection } from "../../../../src/connection/check/connectionCheck.ts";
import { diagnose } from "../../../../src/connection/diagnosis/diagnosis.ts";
import { reportMarkdown } from "../../../../src/connection/report/report.ts";
import { formatSupportReport } from "../../../../src/connection/check/supportReport.ts";
import { CompatibilityStore } from "../../../../src/editor/service/compatibilityStore.ts";
import { createTranslate } from "../../../../src/text/translate.ts";
import { clientStyles, type ClientStyle } from "../../../../src/protocol/conversation/wireStyle.ts";
import { piecesIn, waysToSayKey } from "../../../service/saidBack.ts";
import { startReferenceService, type ReferenceService } from "../../../service/serve.ts";
import { tellFigure } from "../../../support/figures.ts";
import { stringsIn } from "../../client/key/plantedKeys.ts";
import { createTestClient } from "../../client/request/testClient.ts";
import { createMemento } from "../../editor/workspace/memento.ts";
import { fakeKey, soon } from "../../service/fixture.ts";
import { failed } from "../../../support/failed.ts";
import { sealFor } from "../../../support/sealFor.ts";

const model = "service-core";
const t = createTranslate();
const prompts = ["Hello", "Tell me of it /cut", "Tell me of it /filter", "/long 400"];

describe("a service that repeats pieces of the key in its own texts", function () {
  this.timeout(120_000);
  const ways = {
    undici: createUndiciTransport({ strictCertificates: true }),
    editor: createEditorTransport((url, options) => fetch(url, options)),
  };
  const versions = { extension: "0.1.0", editor: "Editor", node: "v24", system: "linux" };
  let key: string;
  let code: string;
  let service: ReferenceService;
  /** Every string that would be shown, logged, stored, or passed to other extensions. */
  let shown: string[];
  let records: CallRecord[];

  before(async () => {
    key = fakeKey(
      randomBytes(18)
        .toString("hex")
        .replace(/^(.{9})/, "$1-"),
    );
    code = `const keyTail = "${key.slice(4)}"; // ...${key.slice(-8)}, ${key.slice(0, -1)}`;
    service = await startReferenceService({
      quirks: { saysKey: true },
      answers: (message) => (message === "Show my code" ? code : undefined),
    });
    service.keys.add({}, key);
  });
  beforeEach(() => {
    [shown, records] = [[], []];
  });
  after(async () => {
    await Promise.all([...Object.values(ways).map((transport) => transport.close()), service.close()]);
  });

  const origin = (): string => service.origin;

  function clientOf(way: keyof typeof ways): InferenceClient {
    return createTestClient({
      transport: ways[way],
      origin: origin(),
      key,
      onCall: (record) => records.push(record),
    });
  }

  /** Adds every string of the error and of its diagnosis to `shown`. */
  function keepThrown(error: unknown): void {
    assert.ok(error instanceof InferenceError, inspect(error));
    const said = diagnose(failed(error.failure), { origin: origin(), model }, t);
    shown.push(...stringsIn(said), ...stringsIn(error.failure), inspect(error, { depth: 9 }));
  }

  async function askAll(client: InferenceClient, style: ClientStyle): Promise<void> {
    for (const prompt of prompts) {
      for (const [asked, maxTokens] of [
        [model, 5],
        [model, 2000],
        ["no-such-model", 5],
      ] as const) {
        const messages = [{ role: "user", content: [{ type: "text", text: prompt }] }] as const;
        const request = { model: asked, messages, maxTokens };
        await client
          .complete(style, { ...request, stream: false }, soon())
          .then(({ value, requestId = "" }) => void shown.push(...stringsIn(value), requestId), keepThrown);
        try {
          const stream = client.streamChat(style, { ...request, stream: true }, soon());
          for await (const parts of stream) shown.push(...stringsIn(parts));
        } catch (error) {
          keepThrown(error);
        }
      }
    }
  }

  async function check(client: InferenceClient, clientStyle: ClientStyle): Promise<void> {
    const [connection] = readConnections([{ name: "Talkative", baseUrl: origin() }]).connections;
    assert.ok(connection !== undefined);
    const { result, diagnosis, models } = await checkConnection(
      {
        connection,
        clientStyle,
        model,
        billable: true,
        readKey: async () => new ApiKey(key, sealFor(origin())),
        createClient: () => client,
        diagnose: (failure) => diagnose(failure, { origin: origin(), model }, t),
        now: () => new Date(),
        clock: () => performance.now(),
        t,
      },
      soon(),
    );
    const { at, ok, steps } = result;
    const page = buildCheckReport(
      {
        connection: "Talkative",
        clientStyle,
        model,
        at: new Date(at),
        billable: true,
        steps,
        state: { kind: "done", ok, canChat: ok, ...(diagnosis === undefined ? {} : { diagnosis }) },
      },
      t,
    );
    const subjects = [
      { kind: "check", at, ok, steps } as const,
      ...records.map((call) => ({ kind: "call", call }) as const),
    ];
    const reports = subjects.map((subject) =>
      formatSupportReport({
        at: new Date(),
        subject,
        model,
        clientStyle,
        origin: origin(),
        versions,
        systemCertificates: true,
        strictCertificates: true,
        transportSetting: "auto",
      }),
    );
    shown.push(...stringsIn(result), ...stringsIn(models), ...stringsIn(diagnosis));
    shown.push(...stringsIn(page), reportMarkdown(page), ...reports);
  }

  async function verify(way: keyof typeof ways): Promise<void> {
    const results: ProbeResult[] = [];
    const store = new CompatibilityStore(createMemento());
    const steps = probeSteps(clientStyles, probeIds);
    const end = await verifyCompatibility(
      {
        model,
        steps,
        memory: store,
        createClient: () => clientOf(way),
        diagnose: (failure) => diagnose(failure, { origin: origin(), model }, t),
        now: () => new Date(),
        t,
        onStep: () => undefined,
        onResult: (result) => results.push(result),
      },
      soon(),
    );
    assert.equal(end.kind, "complete");
    const facts = {
      connection: "Talkative",
      base: origin(),
      model,
      seen: (style: ClientStyle) => ({
        results: results.filter(({ clientStyle }) => clientStyle === style),
        learnt: [],
      }),
      run: { steps, end },
    };
    const page = compatibilityReport(facts, t);
    shown.push(...stringsIn(results), ...stringsIn(page), reportMarkdown(page), compatibilityJson(facts));
  }

  function assertNoPieces(): void {
    const texts = [...new Set([...shown, ...stringsIn(records)])];
    assert.ok(texts.some((text) => text.includes("[API key]")));
    const leaks = texts.filter((text) => piecesIn(text, key).length > 0);
    assert.deepEqual(leaks, []);
    tellFigure(
      `pieces of the key, said back in ${Object.keys(waysToSayKey).length} ways, in what is kept and shown: 0 in ${texts.length} texts`,
    );
  }

  for (const way of ["undici", "editor"] as const) {
    for (const style of clientStyles) {
      it(`is shown, logged, and reported without these pieces (${way}, ${style})`, async () => {
        const client = clientOf(way);
        const { value } = await client.listModels(soon());
        assert.deepEqual(
          value.map(({ id }) => id).filter((id) => id.startsWith("service-")),
          ["service-core", "service-mini", "service-large"],
        );
        shown.push(...stringsIn(value));
        await askAll(client, style);
        await check(client, style);
        service.keys.revoke(key);
        await askAll(client, style);
        await check(client, style);
        await client.listModels(soon()).catch(keepThrown);
        service.keys.add({}, key);
        assertNoPieces();
      });

      it(`has the code in its answers left unchanged (${way}, ${style})`, async () => {
        const messages = [{ role: "user", content: [{ type: "text", text: "Show my code" }] }] as const;
        const request = { model, messages, maxTokens: 2000, stream: true };
        let answer = "";
        for await (const parts of clientOf(way).streamChat(style, request, soon()))
          for (const part of parts) answer += part.type === "text-delta" ? part.text : "";
        assert.equal(answer, code);
      });
    }

    it(`is verified and reported without these pieces (${way})`, async () => {
      await verify(way);
      assertNoPieces();
    });
  }
});
