import { render, type VNode } from "preact";
import { Announcer } from "../announcements/announcer.ts";
import { type ComposerHandle, Composer } from "../composer/composer.tsx";
import { connectHost } from "../context/host.ts";
import { PageModel, type PageState } from "../model/pageModel.ts";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { Conversation } from "../transcript/conversation.tsx";
import { isComposing } from "../controls/keys.ts";
import { ArrivesContext, PageContext, type PageServices, usePage } from "../context/pageContext.ts";
import { usageOfChat, convertChatUsageToText } from "../../chat/transcript/usage.ts";
import type { Transcript } from "../../chat/transcript/transcript.ts";
import { pageLanguage } from "../controls/numberText.ts";

function startPage(root: HTMLElement): void {
  const host = connectHost();
  const announcer = new Announcer();
  document.body.append(announcer.element);
  let composer: ComposerHandle | undefined;
  const onReady = (handle: ComposerHandle): void => {
    composer = handle;
  };
  const model = new PageModel(host, announcer, {
    changed: (state) => render(<Page model={model} state={state} onReady={onReady} />, root),
    focusComposer: () => composer?.focus(),
    restoreDraft: (text) => composer?.restore(text),
  });
  model.start();
}

interface PageProps {
  readonly model: PageServices["model"];
  readonly state: PageState;
  /** Called with the composer's handle as soon as the composer is rendered. */
  readonly onReady: (composer: ComposerHandle) => void;
}

function Page({ model, state, onReady }: PageProps): VNode {
  const box = useRef<HTMLTextAreaElement>(null);
  const arrives = state.transcript.arriving !== null;
  const { translate } = state;
  const services = useMemo<PageServices>(
    () => ({ model, t: translate, focusComposer: () => box.current?.focus() }),
    [model, translate],
  );
  const restore = useRef<ComposerHandle["restore"]>(null);
  // A layout effect, because the host's first requests may run right after the first render, before the paint.
  useLayoutEffect(
    () => onReady({ focus: services.focusComposer, restore: (text) => restore.current?.(text) }),
    [services, onReady],
  );
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === "Escape" && model.arrives && !isComposing(event)) model.post({ type: "stop" });
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [model]);
  return (
    <PageContext.Provider value={services}>
      <ArrivesContext.Provider value={arrives}>
        <main class="page">
          <h1 class="visually-hidden">{translate("Inference Chat")}</h1>
          <Conversation key={state.chatId} state={state} />
          <ChatUsageLine transcript={state.transcript} />
          <Composer
            key={state.chatId}
            header={state.header}
            arrives={arrives}
            questions={() => questionsOf(state)}
            draft={state.draft}
            attachments={state.attachments}
            instructions={state.instructions}
            turns={state.turns}
            box={box}
            restore={restore}
          />
        </main>
      </ArrivesContext.Provider>
    </PageContext.Provider>
  );
}

function questionsOf({ turns }: PageState): readonly string[] {
  return turns.filter(({ kind }) => kind === "question").map(({ text }) => text);
}

/** The usage of the whole chat, shown from the second answer on. The first answer already shows its own usage. */
function ChatUsageLine({ transcript }: { readonly transcript: Transcript }): VNode | null {
  const { t } = usePage();
  if (transcript.turns.filter(({ kind }) => kind === "answer").length < 2) return null;
  return (
    <p class="chat-usage">
      {convertChatUsageToText(usageOfChat(transcript), { t, language: pageLanguage() })}
    </p>
  );
}

const root = document.getElementById("root");
if (root !== null) {
  startPage(root);
}
