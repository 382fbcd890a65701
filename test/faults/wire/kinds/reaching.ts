import type { Fault, Scene } from "../fault.ts";
import { fullText } from "../goodAnswers.ts";
import type { Line } from "../line.ts";
import { headOf, sendAnswer, sendGood } from "../rawAnswers.ts";

/** Faults before the first request: host names, ports, TLS and other protocols. */
export const reaching: readonly Fault[] = [
  { name: "a host name that does not exist", ends: "network", place: "no-name" },
  { name: "a port where nobody listens", ends: "network", place: "no-server" },
  { name: "a host that accepts no connection", ends: "timeout", place: "black-hole", limit: "connect" },
  { name: "an expired certificate", ends: "tls", place: "tls", certificate: "expired" },
  { name: "a self-signed certificate", ends: "tls", place: "tls", certificate: "self-signed" },
  { name: "a certificate for another name", ends: "tls", place: "tls", certificate: "other-name" },
  { name: "a TLS version that is too old", ends: "tls", place: "tls", certificate: "old-protocol" },
  {
    name: "a TLS port that answers without TLS",
    ends: "tls",
    place: "tls",
    connect: async (line) => {
      await line.heard();
      line.end(headOf("400 Bad Request", { "content-length": 0 }));
    },
  },
  {
    name: "a port without TLS that answers with TLS",
    ends: "not-an-api",
    connect: async (line) => {
      await line.heard();
      // A fatal TLS alert, `protocol_version` (RFC 8446, section 6).
      line.end(Uint8Array.of(0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x46));
    },
  },
  {
    name: "a TLS handshake that is reset",
    ends: "network",
    place: "tls",
    connect: async (line) => {
      await line.heard();
      line.reset();
    },
  },
  {
    name: "a TLS handshake that is closed",
    ends: "tls",
    place: "tls",
    connect: async (line) => {
      await line.heard();
      line.end();
    },
  },
  {
    name: "a TLS handshake that is never answered",
    ends: "timeout",
    place: "tls",
    limit: "connect",
    connect: () => undefined,
  },
  {
    name: "a TLS connection that is reset in the answer",
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
    ["an SSH server's greeting", "SSH-2.0-OpenSSH_9.9\r\n"],
    ["a mail server's greeting", "220 mail.example ESMTP ready\r\n"],
    ["a page without HTTP headers", "<html>Welcome</html>"],
    ["binary data", "\0\u{1}\u{2}\u{3}"],
    ["HTTP/2 frames", "\0\0\u{12}\u{4}\0\0\0\0\0"],
  ].map(([name = "", greeting = ""]): Fault => ({
    name: `${name} instead of HTTP`,
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
        name: `${status} before the end of the request, then reads the rest`,
        connect: async (line) => {
          await line.heard();
          await refuse(line);
        },
      },
      {
        ...refused,
        name: `${status} before the end of the request, then a close`,
        connect: answerAndClose(refuse),
      },
    ];
  }),
  {
    name: "the correct answer before the end of the request, then a close",
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
