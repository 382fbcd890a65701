import type { Fault } from "../fault.ts";
import { headOf, sendAnswer } from "../rawAnswers.ts";

const page = "<html><title>Blocked by policy</title></html>";
const html = { "content-type": "text/html" };

/** A proxy does not open the requested tunnel, or opens a tunnel to something else. */
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
      name: "answers with a page that refuses",
      ends: "proxy",
      answer: (line) => sendAnswer(line, 403, page, html),
    },
    { name: "cannot reach the service", ends: "proxy", answer: (line) => sendAnswer(line, 502, page, html) },
    { name: "is overloaded", ends: "proxy", answer: (line) => sendAnswer(line, 503, page, html) },
    { name: "closes", ends: "proxy", answer: (line) => line.end() },
    { name: "resets", ends: "proxy", answer: (line) => line.reset() },
    { name: "says nothing", ends: "proxy", limit: "connect", answer: () => undefined },
    { name: "is no proxy", ends: "proxy", answer: (line) => line.send("SSH-2.0-OpenSSH_9.9\r\n") },
    {
      name: "opens the tunnel, and sends a page through it",
      ends: "tls",
      answer: async (line) => {
        await line.send(headOf("200 OK"));
        await line.heard();
        line.end(headOf("200 OK", html) + page);
      },
    },
    {
      name: "opens the tunnel, which is reset behind it",
      ends: "network",
      answer: async (line) => {
        await line.send(headOf("200 OK"));
        await line.heard();
        line.reset();
      },
    },
    {
      name: "opens the tunnel, which is closed behind it",
      ends: "tls",
      answer: async (line) => {
        await line.send(headOf("200 OK"));
        await line.heard();
        line.end();
      },
    },
    {
      name: "opens the tunnel, and lets nothing through",
      ends: "timeout",
      limit: "connect",
      answer: (line) => line.send(headOf("200 OK")),
    },
  ] satisfies readonly Fault[]
).map((fault: Fault) => ({ ...fault, name: `a proxy that ${fault.name}`, place: "proxy" }));

/** An intercepting proxy, configured by neither side, before a service without TLS. */
export const interceptions: readonly Fault[] = [
  {
    name: "a filter on the way that answers with its page",
    ends: "proxy",
    keepsLine: true,
    answer: (line) => sendAnswer(line, 403, page, { ...html, server: "squid/6.1" }),
  },
  {
    name: "a filter on the way that asks for a login",
    ends: "proxy",
    keepsLine: true,
    answer: (line) => sendAnswer(line, 407, page, html),
  },
  {
    name: "a network that wants one to sign in first",
    ends: "wrong-host",
    keepsLine: true,
    answer: (line) => sendAnswer(line, 302, page, { ...html, location: "http://portal.example/login" }),
  },
  {
    name: "a network that answers all by its own page",
    ends: "not-an-api",
    keepsLine: true,
    answer: (line) => sendAnswer(line, 200, page, html),
  },
];
