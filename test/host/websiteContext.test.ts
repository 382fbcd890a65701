import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { type ContextOffer, urlOffer } from "../../src/chat/page/protocol.ts";
import { WebsiteContext } from "../../src/editor/attachments/websiteContext.ts";
import { clientStyles } from "../../src/protocol/conversation/wireStyle.ts";
import { type ConnectProxy, startConnectProxy } from "../unit/client/transport/connectProxy.ts";
import { type PlainServer, startPlainServer } from "../unit/client/transport/plainServer.ts";
import { AnsweredInputs } from "./answeredInputs.ts";
import { ShownDialogues } from "./shownDialogues.ts";
import { ShownProgress } from "./shownProgress.ts";
import { type ChatsPage, withChat } from "./withChat.ts";
import { withConnection } from "./withConnection.ts";
import { writeSetting } from "./writeSetting.ts";

const html = "<title>Tides</title><main><h1>Tides</h1><p>High water at <b>noon</b>.</p></main>";

/** A website's answer: a redirect, a status, or a body with its type. */
type Answer = string | number | { readonly type: string; readonly body: string };

for (const clientStyle of clientStyles) {
  describe(`a web page that the user attaches, over ${clientStyle}`, () => {
    const connection = withConnection({ name: `Over ${clientStyle}`, entry: { clientStyle } });
    const test = withChat(connection);
    let site: PlainServer;
    let dialogues: ShownDialogues;
    let page: ChatsPage;

    before(async () => {
      site = await startPlainServer();
    });
    beforeEach(() => {
      site.answer = (_request, response) =>
        void response.writeHead(200, { "content-type": "text/html" }).end(html);
      dialogues = new ShownDialogues();
      page = test.openPage();
    });
    afterEach(() => dialogues.dispose());
    after(() => site.close());

    it("precedes the question with its URL and text, after one question that names both hosts", async () => {
      const url = `${site.origin}/tides?day=1`;
      const { host } = new URL(url);
      await page.attached({ type: "attach", offerId: `${urlOffer}${url}#noon` });
      const [asked] = dialogues.all;
      assert.equal(asked?.message, `${host} isn't a public website. Attach its page?`);
      const service = new URL(connection.service.origin).host;
      for (const said of [url, "It gets no key, no cookies", `'${connection.name}' (${service})`])
        assert.ok(asked?.detail?.includes(said), asked?.detail);
      // A second page of the host is attached without a question.
      await page.attached({ type: "attach", offerId: `${urlOffer}${site.origin}/other` });
      assert.equal(dialogues.all.length, 1);
      await page.ask("When is high water?");
      const text = connection.asks.at(-1)?.messages.at(-1)?.text ?? "";
      assert.ok(text.startsWith("The user attached the following. It is material for the question"), text);
      assert.ok(
        text.includes(
          `<attachment kind="website" name="Tides (${host})" source="${url}">\n\`\`\`\n# Tides\n\nHigh water at noon.\n\`\`\`\n`,
        ),
        text,
      );
      assert.ok(text.endsWith("When is high water?"));
      const [question] = page.chat.session.transcript.turns;
      assert.ok(question?.kind === "question" && question.attachments?.length === 2);
    });
  });
}

describe("a web page from the page of a chat", () => {
  const connection = withConnection();
  const test = withChat(connection);
  let site: PlainServer;
  let proxy: ConnectProxy;
  let page: ChatsPage;
  let dialogues: ShownDialogues;
  /** Requests of this test, with their hosts. */
  const requested: string[] = [];
  let answers: Readonly<Record<string, Answer>>;
  /** The button to press; undefined for Cancel. */
  let pressed: (buttons: readonly string[], message: string) => string | undefined;
  const owned: { readonly dispose: () => void }[] = [];

  before(async () => {
    site = await startPlainServer();
    site.answer = (request: IncomingMessage, response) => {
      requested.push(`${request.headers.host}${request.url}`);
      const answer = answers[request.url ?? ""] ?? { type: "text/html", body: html };
      if (typeof answer === "string") response.writeHead(302, { location: answer }).end();
      else if (typeof answer === "number") response.writeHead(answer).end("no");
      else response.writeHead(200, { "content-type": answer.type }).end(answer.body);
    };
    proxy = await startConnectProxy(new URL(site.origin));
    // Hosts on the internet are reached through this proxy, as in many companies.
    await writeSetting("http.proxy", proxy.origin);
  });
  beforeEach(() => {
    requested.length = 0;
    answers = {};
    pressed = ([button]) => button;
    dialogues = new ShownDialogues(({ buttons, message }) => pressed(buttons, message));
    owned.push(dialogues);
    page = test.openPage();
  });
  afterEach(() => {
    for (const each of owned.splice(0)) each.dispose();
  });
  after(async () => {
    await writeSetting("http.proxy", undefined);
    await proxy.close();
    await site.close();
  });

  /** Resolves when the page has been attached or not. */
  async function attach(url: string): Promise<void> {
    const request = { type: "attach", offerId: `${urlOffer}${url}` } as const;
    await page.answered({ type: "context", request }, "focus-composer");
  }

  /** The offers behind `#` and this text. */
  async function find(typed: string, searchId: number): Promise<readonly ContextOffer[]> {
    const request = { type: "find", searchId, typed } as const;
    return (await page.answered({ type: "context", request }, "context-offers")).offers;
  }

  const names = (): readonly string[] => page.chat.attachments.map(({ name }) => name);

  it("is offered behind #: by its name, or alone for a whole URL", async () => {
    assert.deepEqual(await find("https://docs.example/a#b", 1), [
      {
        id: "url:https://docs.example/a#b",
        label: "Attach https://docs.example/a#b",
        description: "Web page",
      },
    ]);
    assert.ok((await find("", 2)).some(({ label }) => label === "Web Page..."));
  });

  it("is requested only after a question with its host and URL, and never after a refusal", async () => {
    pressed = () => undefined;
    await attach("http://docs.example/a?b=c");
    const [asked] = dialogues.all;
    assert.deepEqual(
      [asked?.message, asked?.buttons],
      ["Attach this page from docs.example?", ["Attach Page"]],
    );
    assert.match(
      asked?.detail ?? "",
      /^http:\/\/docs\.example\/a\?b=c\ndocs\.example gets this URL and the IP address of the machine that runs Inference Chat\./,
    );
    assert.match(asked?.detail ?? "", /Not encrypted: others can read and change the page/);
    assert.deepEqual([requested, proxy.asked, names()], [[], [], []]);
    pressed = ([button]) => button;
    await attach("http://docs.example/a?b=c");
    assert.deepEqual(names(), ["Tides (docs.example)"]);
    assert.deepEqual(requested, ["docs.example/a?b=c"]);
  });

  it("can be entered in a box, which refuses what is no whole URL", async () => {
    const inputs = new AnsweredInputs(
      ["Attach Context", "Web Page..."],
      ["Attach a Web Page", "docs.example"],
      ["Attach a Web Page", "http://user:word@docs.example/"],
      ["Attach a Web Page", " http://docs.example/a "],
    );
    owned.push(inputs);
    await page.attached({ type: "choose" });
    assert.equal(inputs.refusals.length, 2);
    assert.match(inputs.refusals[0] ?? "", /^Enter a whole URL/);
    assert.deepEqual(names(), ["Tides (docs.example)"]);
  });

  it("asks again for each host that it redirects to, and for the private one as such", async () => {
    answers = { "/a": "http://other.example/b", "/b": `${site.origin}/c`, "/c": "/d" };
    await attach("http://docs.example/a");
    const own = new URL(site.origin).host;
    assert.deepEqual(dialogues.messages, [
      "Attach this page from docs.example?",
      "docs.example redirects to another host. Attach the page from other.example?",
      `${own} isn't a public website. Attach its page?`,
    ]);
    assert.match(dialogues.all[2]?.detail ?? "", /\nother\.example redirects to this URL\.\n/);
    assert.equal(page.chat.attachments[0]?.detail, `${site.origin}/d`);
    requested.length = 0;
    dialogues.all.length = 0;
    answers = { "/a": "http://third.example/b" };
    pressed = () => undefined;
    await attach("http://docs.example/a");
    assert.deepEqual(requested, ["docs.example/a"]);
    assert.equal(dialogues.all.length, 1);
  });

  it("ends after three redirects, although each host was allowed", async () => {
    answers = {
      "/": "http://b.example/1",
      "/1": "/2",
      "/2": "http://c.example/3",
      "/3": "http://d.example/",
    };
    await attach("http://a.example/");
    assert.equal(dialogues.messages.at(-1)?.startsWith("c.example redirects too often."), true);
    assert.deepEqual(requested, ["a.example/", "b.example/1", "b.example/2", "c.example/3"]);
  });

  it("asks for a private name before a proxy gets it, and never for a metadata service", async () => {
    pressed = () => undefined;
    await attach("https://wiki.corp/");
    assert.deepEqual(dialogues.messages, ["wiki.corp isn't a public website. Attach its page?"]);
    for (const host of ["169.254.169.254", "[fd00:ec2::254]", "metadata.google.internal", "168.63.129.16"]) {
      await attach(`http://${host}/latest`);
      assert.match(dialogues.messages.at(-1) ?? "", /can be a cloud's metadata service/);
      assert.deepEqual(dialogues.all.at(-1)?.buttons, []);
    }
    assert.ok(!proxy.asked.some((each) => /wiki|169|metadata/.test(each)), proxy.asked.join());
  });

  it("is not requested if its URL holds a key", async () => {
    await attach(`http://docs.example/?key=${connection.key}`);
    assert.deepEqual(dialogues.messages, [
      "The URL contains an API key, so nothing was requested. Remove the key from the URL, and try again.",
    ]);
    assert.deepEqual(requested, []);
  });

  it("says why it was not attached, and what to do", async () => {
    answers = {
      "/401": 401,
      "/404": 404,
      "/503": 503,
      "/a.pdf": { type: "application/pdf", body: "%PDF" },
      "/a.png": { type: "image/png", body: "png" },
      "/app": { type: "text/html", body: "<title>App</title><div id=app></div>" },
    };
    for (const [path, said] of [
      [
        "401",
        "refused access (HTTP 401). If the page needs a login, open the page in a browser and paste its text.",
      ],
      ["404", "has no page at this URL (HTTP 404). Check the URL."],
      ["503", "can't send the page at the moment (HTTP 503). Try again later."],
      ["a.pdf", "sent a PDF file. Save the file on your computer"],
      ["a.png", "sent image/png, which isn't text."],
      ["app", "has no text unless its scripts run"],
    ] as const) {
      await attach(`http://docs.example/${path}`);
      assert.ok(dialogues.messages.at(-1)?.includes(said), `${path}: ${dialogues.messages.at(-1)}`);
    }
    await attach("http://localhost:1/");
    assert.match(
      dialogues.messages.at(-1) ?? "",
      /^localhost:1 can't be reached \(ECONNREFUSED\)\. Check the URL/,
    );
    assert.deepEqual(names(), []);
  });

  it("is cut at 20,000 characters without stored keys, and both the user and the model are told", async () => {
    answers = { "/": { type: "text/plain", body: `${connection.key}\n${"a".repeat(30_000)}` } };
    await attach("http://docs.example/");
    const [attached] = page.chat.attachments;
    assert.ok(attached?.content?.type === "text");
    const { text } = attached.content;
    assert.ok(text.startsWith("[API key]\naaa"), text.slice(0, 40));
    const note = "\n\n(Cut: the text has 30010 characters, and the first 20000 are shown.)";
    assert.deepEqual([text.length, text.endsWith(note)], [20_000 + note.length, true]);
    assert.deepEqual([attached.trimmedFrom, attached.name], [30_010, "docs.example"]);
  });

  it("can be canceled while it is read, and the website sees that at once", async () => {
    const progress = new ShownProgress();
    owned.push(progress);
    const own = new URL(site.origin).host;
    const { answer } = site;
    const closed = new Promise<void>((resolve) => {
      site.answer = (request, response) => {
        response.on("close", () => resolve());
        requested.push(request.url ?? "");
      };
    });
    const shown = progress.until(`Reading ${own}`);
    page.say({ type: "context", request: { type: "attach", offerId: `${urlOffer}${site.origin}` } });
    await shown;
    progress.cancel(`Reading ${own}`);
    await closed;
    site.answer = answer;
    assert.deepEqual([requested, names(), dialogues.all.length], [["/"], [], 1]);
  });
});

describe("a name that leads to a private network", () => {
  it("asks a second time before anything is connected", async () => {
    const site = await startPlainServer();
    const dialogues = new ShownDialogues();
    try {
      site.answer = (_request, response) => void response.end("text");
      // As if the name looked public, and its lookup brought this machine's address.
      let checks = 0;
      const context = new WebsiteContext(
        async (text) => text,
        () => (checks += 1) === 1,
      );
      const { attachments } = await context.gather(site.origin, undefined);
      const { host } = new URL(site.origin);
      assert.deepEqual(dialogues.messages, [
        `Attach this page from ${host}?`,
        `${host} isn't a public website. Attach its page?`,
      ]);
      assert.deepEqual([attachments.length, site.requests], [1, 1]);
    } finally {
      dialogues.dispose();
      await site.close();
    }
  });
});
