import type { Fault, Scene } from "../fault.ts";
import { fullText } from "../goodAnswers.ts";
import type { Line } from "../line.ts";
import { headOf, sendAnswer, sendGood } from "../rawAnswers.ts";

/** Faults on the way to the service: names, ports, TLS. */
export const reaching: readonly Fault[] = [
  { name: "a name that does not exist", ends: "network", place: "no-name" },
  { name: "a port where nobody listens", ends: "network", place: "no-server" },
  { name: "a host that takes no connection", ends: "timeout", place: "black-hole", limit: "connect" },
  { name: "a certificate that is over", ends: "tls", place: "tls", certificate: "expired" },
  { name: "a certificate that signed itself", ends: "tls", place: "tls", certificate: "self-signed" },
  { name: "a certificate of another name", ends: "tls", place: "tls", certificate: "other-name" },
  { name: "TLS of another age", ends: "tls", place: "tls", certificate: "old-protocol" },
  {
    name: "a port for TLS that answers in clear",
    ends: "tls",
    place: "tls",
    connect: async (line) => {
      await line.heard();
      line.end(headOf("400 Bad Request", { "content-length": 0 }));
    },
  },
  {
    name: "a port in clear that answers by TLS",
    ends: "not-an-api",
    connect: async (line) => {
      await line.heard();
      // A fatal TLS alert, `protocol_version` (RFC 8446, section 6).
      line.end(Uint8Array.of(0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x46));
    },
  },
  {
    name: "TLS that is reset before it stands",
    ends: "network",
    place: "tls",
    connect: async (line) => {
      await line.heard();
      line.reset();
    },
  },
  {
    name: "TLS that is closed before it stands",
    ends: "tls",
    place: "tls",
    connect: async (line) => {
      await line.heard();
      line.end();
    },
  },
  {
    name: "TLS that is never answered",
    ends: "timeout",
    place: "tls",
    limit: "connect",
    connect: () => undefined,
  },
  {
    name: "TLS that is reset in the answer",
    ends: { chat: "interrupted", whole: "interrupted", list: "interrupted" },
    place: "tls",
    text: fullText.slice(0, 6),
    answer: async (line, { body, bodyRead }) => {
      await line.send(headOf(200, { "content-type": body.contentType, "content-length": 9999 }));
      await line.send(body.bytes.subarray(0, body.marks.firstText));
      await bodyRead;
      line.reset();
    },
  },
  ...[
    ["another protocol's greeting", "SSH-2.0-OpenSSH_9.9\r\n"],
    ["mail's greeting", "220 mail.example ESMTP ready\r\n"],
    ["a page without a head", "<html>Welcome</html>"],
    ["bytes of nothing", "\0\u{1}\u{2}\u{3}"],
    ["frames of HTTP/2", "\0\0\u{12}\u{4}\0\0\0\0\0"],
  ].map(([name = "", greeting = ""]): Fault => ({
    name: `${name} in place of HTTP`,
    ends: "not-an-api",
    connect: async (line) => {
      await line.heard();
      await line.send(greeting);
    },
  })),
];

const large = 6_000_000;

/** Answers that come before the whole request is sent. */
export const tooEarly: readonly Fault[] = [
  ...(
    [
      ["401 Unauthorized", "invalid-key"],
      ["413 Content Too Large", "bad-request"],
      ["503 Service Unavailable", "overloaded"],
    ] as const
  ).flatMap(([status, cause]): readonly Fault[] => {
    const refuse = (line: Line): Promise<void> => sendAnswer(line, status, "{}", { connection: "close" });
    const refused = { ends: { chat: cause, whole: cause }, promptLength: large };
    return [
      {
        ...refused,
        name: `${status} before the request is through, which is then read`,
        connect: async (line) => {
          await line.heard();
          await refuse(line);
        },
      },
      {
        ...refused,
        name: `${status} before the request is through, then a close`,
        connect: answerAndClose(refuse),
      },
    ];
  }),
  {
    name: "the right answer before the request is through, then a close",
    // The check requests the list first, and this answer is not a list.
    ends: { chat: "works", whole: "works", check: "not-an-api" },
    promptLength: large,
    connect: answerAndClose((line, { body }) => sendGood(line, body)),
  },
];

function answerAndClose(send: (line: Line, scene: Scene) => Promise<void>): NonNullable<Fault["connect"]> {
  return async (line, scene) => {
    await line.heard();
    await send(line, scene);
    await scene.headRead;
    line.end();
  };
}
