import assert from "node:assert/strict";
import * as v from "valibot";
import { clientStyles, defaultClientStyle } from "../../../src/protocol/conversation/wireStyle.ts";
import { namesIn, readDocument, repositoryFiles } from "./documents.ts";

/**
 * Matches code that names `chat-completions` or compares a style. Other uses of `messages` may mean the request field.
 */
const naming = /["']chat-completions["']|style [!=]== ["']|case ["']messages["']/i;

const enumSchema = v.object({
  contributes: v.object({
    configuration: v.object({
      properties: v.object({
        "inference.connections": v.object({
          items: v.object({
            properties: v.object({
              clientStyle: v.object({ enum: v.array(v.string()), default: v.string() }),
            }),
          }),
        }),
      }),
    }),
  }),
});

describe("docs/dev/add-a-client-style.md", () => {
  it("lists exactly the source files that name a client style", () => {
    const found = repositoryFiles().filter(
      (name) => /^src\/.*\.tsx?$/.test(name) && naming.test(readDocument(name)),
    );
    const section = readDocument("docs/dev/add-a-client-style.md").split("## Its row")[1] ?? "";
    const told = namesIn(section.split("## ")[0] ?? "").filter((name) => name.startsWith("src/"));
    const own = "src/protocol/styles/chatCompletions.ts";
    assert.deepEqual(
      found.filter((name) => name !== own),
      told.toSorted(),
    );
  });

  it("describes a setting that offers exactly the client styles and their default", () => {
    const { configuration } = v.parse(enumSchema, JSON.parse(readDocument("package.json"))).contributes;
    const { clientStyle } = configuration.properties["inference.connections"].items.properties;
    assert.deepEqual(clientStyle, { enum: [...clientStyles], default: defaultClientStyle });
  });
});
