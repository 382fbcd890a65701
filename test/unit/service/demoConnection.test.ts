import assert from "node:assert/strict";
import { clientStyles } from "../../../src/protocol/conversation/wireStyle.ts";
import { startDemoConnection } from "../../support/startConnection.ts";
import { TestTools } from "../../support/testTools.ts";
import { SessionBench } from "../chat/session/sessionBench.ts";

describe("the connection of npm start", () => {
  for (const style of clientStyles) {
    it(`lets Plan mode be selected, and its model reads the sample before it answers, with ${style}`, async () => {
      await using demo = await startDemoConnection();
      assert.deepEqual(demo.settings["inference.chat.modelCapabilities"], {
        "service-core": { toolCalling: true },
      });
      const [key = ""] = Object.values(demo.environment);
      const origin = demo.description.join("\n").match(/http:\/\/[\d.:]+/)?.[0] ?? "";
      const bench = new SessionBench(origin, key);
      bench.style = style;
      bench.tools = new TestTools();
      await bench.session.send("How are the readings summarized?");
      const { state, steps = [], text } = bench.lastAnswer;
      assert.deepEqual(state, { kind: "complete", reason: "stop" });
      assert.deepEqual(
        steps.flatMap(({ calls }) => calls.map(({ name }) => name)),
        ["list_folder", "read_file"],
      );
      assert.notEqual(text.trim(), "");
      await bench.session.send("Now call list_folder.");
      assert.deepEqual(
        bench.lastAnswer.steps?.map(({ calls }) => calls.map(({ name }) => name)),
        [["list_folder"]],
      );
    });
  }
});
