import assert from "node:assert/strict";
import { emptyTranscript } from "../../../../src/chat/transcript/transcript.ts";
import { Chat } from "../../../../src/editor/chat/chat.ts";
import { closeRemovedChats } from "../../../../src/editor/history/closeRemovedChats.ts";

/** The view and the tabs of a window, with the chats that they show. */
class Screen {
  inView: Chat;
  /** The columns of the tabs by chat ID. */
  readonly tabs = new Map<string, number | undefined>();
  readonly #chats = new Map<string, Chat>();
  #made = 0;

  constructor() {
    this.inView = this.create();
  }

  create(): Chat {
    this.#made += 1;
    const chat = createChat(`chat ${this.#made}`);
    this.#chats.set(chat.id, chat);
    return chat;
  }

  remove(...chats: readonly Chat[]): Promise<() => Promise<void>> {
    for (const { id } of chats) this.#chats.delete(id);
    return closeRemovedChats(new Set(chats.map(({ id }) => id)), {
      chats: {
        create: () => this.create(),
        find: async (id) => this.#chats.get(id),
        release: () => undefined,
      },
      view: {
        current: async () => this.inView,
        show: (chat) => {
          this.inView = chat;
        },
        holds: ({ id }) => this.inView.id === id,
      },
      editors: {
        close: (ids) => {
          const closed = [...this.tabs].filter(([id]) => ids.has(id));
          for (const [id] of closed) this.tabs.delete(id);
          return closed.map(([chatId, column]) => ({ chatId, column }));
        },
        openAgain: async ({ id }, column) => {
          this.tabs.set(id, column);
        },
        holds: ({ id }) => this.tabs.has(id),
      },
    });
  }

  /** Restores removed chats, as if their files and drafts came back. */
  bringBack(...chats: readonly Chat[]): void {
    for (const chat of chats) this.#chats.set(chat.id, chat);
  }
}

describe("closeRemovedChats", () => {
  it("restores removed chats to their places in the view and in tabs", async () => {
    const screen = new Screen();
    const { inView } = screen;
    const [inTab, another] = [screen.create(), screen.create()];
    screen.tabs.set(inTab.id, 2).set(another.id, 1);
    const showAgain = await screen.remove(inView, inTab);
    assert.notEqual(screen.inView, inView);
    assert.deepEqual([...screen.tabs], [[another.id, 1]]);
    screen.bringBack(inView, inTab);
    await showAgain();
    assert.equal(screen.inView, inView);
    assert.deepEqual(Object.fromEntries(screen.tabs), { [inTab.id]: 2, [another.id]: 1 });
  });

  it("does not replace a chat begun in the meantime", async () => {
    const screen = new Screen();
    const { inView } = screen;
    const showAgain = await screen.remove(inView);
    const begun = screen.inView;
    begun.draft = "something else";
    screen.bringBack(inView);
    await showAgain();
    assert.equal(screen.inView, begun);
    begun.draft = "";
    const opened = screen.create();
    screen.inView = opened;
    await showAgain();
    assert.equal(screen.inView, opened);
  });

  it("shows no chat twice and no chat that stays deleted", async () => {
    const screen = new Screen();
    const { inView } = screen;
    const [inTab, lost] = [screen.create(), screen.create()];
    screen.tabs.set(inTab.id, 1).set(lost.id, 1);
    const showAgain = await screen.remove(inView, inTab, lost);
    screen.bringBack(inView, inTab);
    // The user opened both chats elsewhere before choosing Undo in the notice.
    screen.tabs.set(inView.id, 3);
    screen.inView = inTab;
    await showAgain();
    assert.equal(screen.inView, inTab);
    assert.deepEqual([...screen.tabs], [[inView.id, 3]]);
  });
});

function createChat(id: string): Chat {
  return new Chat({
    id,
    title: null,
    draft: "",
    transcript: emptyTranscript,
    log: () => Promise.resolve(),
    target: () => assert.fail("nobody is asked"),
    now: () => new Date(),
    newId: () => assert.fail("nothing is begun"),
  });
}
