import type { Fault } from "../fault.ts";
import { headOf, sendAnswer } from "../rawAnswers.ts";

const page = "<html><title>Blocked by policy</title></html>";
const html = { "content-type": "text/html" };

/** Faults of a configured proxy: it does not open the requested tunnel, or opens a tunnel that fails. */
export const proxies: readonly Fault[] = (
  [
    {
      name: "refuses",
      ends: "proxy",
      answer: (line) => line.send(headOf("403 Forbidden", { "content-length": 0 })),
    },
    {
      name: "asks for a login",
      ends: "proxy",
      answer: (line) =>
        line.send(headOf("407 Log In", { "proxy-authenticate": "Basic realm=x", "content-length": 0 })),
    },
    {
      name: "refuses with a page",
      ends: "proxy",
      answer: (line) => sendAnswer(line, 403, page, html),
    },
    { name: "cannot reach the service", ends: "proxy", answer: (line) => sendAnswer(line, 502, page, html) },
    { name: "is overloaded", ends: "proxy", answer: (line) => sendAnswer(line, 503, page, html) },
    { name: "closes the connection", ends: "proxy", answer: (line) => line.end() },
    { name: "resets the connection", ends: "proxy", answer: (line) => line.reset() },
    { name: "does not answer", ends: "proxy", limit: "connect", answer: () => undefined },
    { name: "is an SSH server", ends: "proxy", answer: (line) => line.send("SSH-2.0-OpenSSH_9.9\r\n") },
    {
      name: "opens the tunnel and sends a page through it",
      ends: "tls",
      answer: async (line) => {
        await line.send(headOf("200 OK"));
        await line.heard();
        line.end(headOf("200 OK", html) + page);
      },
    },
    {
      name: "opens the tunnel and resets it",
      ends: "network",
      answer: async (line) => {
        await line.send(headOf("200 OK"));
        await line.heard();
        line.reset();
      },
    },
    {
      name: "opens the tunnel and closes it",
      ends: "tls",
      answer: async (line) => {
        await line.send(headOf("200 OK"));
        await line.heard();
        line.end();
      },
    },
    {
      name: "opens the tunnel and lets nothing through",
      ends: "timeout",
      limit: "connect",
      answer: (line) => line.send(headOf("200 OK")),
    },
  ] satisfies readonly Fault[]
).map((fault: Fault) => ({ ...fault, name: `a proxy that ${fault.name}`, place: "proxy" }));

/** Answers of an intercepting proxy, which neither side has configured, in front of a service without TLS. */
export const interceptions: readonly Fault[] = [
  {
    name: "a filter that refuses with its own page",
    ends: "proxy",
    keepsLine: true,
    answer: (line) => sendAnswer(line, 403, page, { ...html, server: "squid/6.1" }),
  },
  {
    name: "a filter that asks for a login",
    ends: "proxy",
    keepsLine: true,
    answer: (line) => sendAnswer(line, 407, page, html),
  },
  {
    name: "a network that redirects to its login page",
    ends: "wrong-host",
    keepsLine: true,
    answer: (line) => sendAnswer(line, 302, page, { ...html, location: "http://portal.example/login" }),
  },
  {
    name: "a network that answers with its own page",
    ends: "not-an-api",
    keepsLine: true,
    answer: (line) => sendAnswer(line, 200, page, html),
  },
];
