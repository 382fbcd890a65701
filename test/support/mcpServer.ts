import { appendFileSync } from "node:fs";
import { type CallToolResult, Server, type Tool } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

/**
 * A real MCP server over stdio for tests. Run it by Node with a file: each call appends the name of its tool there, a
 * line each. VS Code asks no question of its own about tools that only read.
 */
const [, , callsFile = ""] = process.argv;
const readOnly = { readOnlyHint: true, openWorldHint: false };
const noArguments = { type: "object", properties: {}, additionalProperties: false } as const;

/** A PNG of one pixel. */
const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
let shiftedTo = 1;

const tools = (): Tool[] => [
  {
    name: "echo",
    description: "Says a text again.",
    annotations: readOnly,
    inputSchema: {
      type: "object",
      properties: { text: { type: "string" }, times: { type: "integer", minimum: 1, maximum: 3 } },
      required: ["text"],
      additionalProperties: false,
    },
  },
  { name: "asking", description: "VS Code asks before it.", inputSchema: noArguments },
  { name: "shift", description: "Changes the other.", annotations: readOnly, inputSchema: noArguments },
  {
    name: "shifting",
    description: `Version ${shiftedTo} of it.`,
    annotations: readOnly,
    inputSchema: noArguments,
  },
  { name: "silent", description: "Never answers.", annotations: readOnly, inputSchema: noArguments },
  { name: "failing", description: "Fails.", annotations: readOnly, inputSchema: noArguments },
  {
    name: "parts",
    description: "Returns images and links.",
    annotations: readOnly,
    inputSchema: noArguments,
  },
  {
    name: "flood",
    description: "Returns a text of many megabytes.",
    annotations: readOnly,
    inputSchema: { type: "object", properties: { megabytes: { type: "integer" } }, required: ["megabytes"] },
  },
];

async function answer(name: string, given: Readonly<Record<string, unknown>>): Promise<CallToolResult> {
  switch (name) {
    case "echo":
      return textOf(
        Array.from({ length: Number(given["times"] ?? 1) }, () => String(given["text"])).join(" "),
      );
    case "shift":
      shiftedTo += 1;
      await server.sendToolListChanged();
      return textOf("shifted");
    case "silent":
      return new Promise(() => undefined);
    case "failing":
      return { ...textOf("it went wrong"), isError: true };
    case "parts":
      return {
        content: [
          { type: "text", text: "Before." },
          ...Array.from({ length: 5 }, () => ({
            type: "image" as const,
            data: pixel,
            mimeType: "image/png",
          })),
          { type: "resource_link", uri: "file:///linked.txt", name: "linked" },
          { type: "audio", data: pixel, mimeType: "audio/wav" },
          {
            type: "resource",
            resource: { uri: "memo://one", text: "the text of it", mimeType: "text/plain" },
          },
        ],
      };
    case "flood":
      return textOf("much".repeat(Number(given["megabytes"]) * 256 * 1024));
    default:
      return textOf(`${name} was called`);
  }
}

function textOf(text: string): CallToolResult {
  return { content: [{ type: "text", text }] };
}

const server = new Server(
  { name: "tests", version: "1.0.0" },
  { capabilities: { tools: { listChanged: true } } },
);
server.setRequestHandler("tools/list", () => ({ tools: tools() }));
server.setRequestHandler("tools/call", ({ params }) => {
  appendFileSync(callsFile, `${params.name}\n`);
  return answer(params.name, params.arguments ?? {});
});
await server.connect(new StdioServerTransport());
