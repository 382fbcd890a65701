import type { VNode } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { Composer } from "./composer.tsx";
import { Conversation } from "./conversation.tsx";
import { isComposing } from "./keys.ts";
import { PageContext, type PageServices } from "./pageContext.ts";
import type { PageState } from "./pageModel.ts";

export interface PageProps {
  readonly model: PageServices["model"];
  readonly state: PageState;
  /** What the editor has kept for this page; newer than the host's draft. */
  readonly keptDraft: string | undefined;
  /** Handed the way to put the focus into the composer. */
  readonly onReady: (focusComposer: () => void) => void;
}

export function Page({ model, state, keptDraft, onReady }: PageProps): VNode {
  const box = useRef<HTMLTextAreaElement>(null);
  const arrives = state.transcript.arriving !== null;
  const { translate } = state;
  const services = useMemo<PageServices>(
    () => ({ model, t: translate, focusComposer: () => box.current?.focus() }),
    [model, translate],
  );
  useEffect(() => onReady(services.focusComposer), [services, onReady]);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === "Escape" && model.arrives && !isComposing(event)) model.post({ type: "stop" });
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [model]);
  return (
    <PageContext.Provider value={services}>
      <main class="page">
        <Conversation state={state} />
        <Composer
          header={state.header}
          arrives={arrives}
          keptDraft={keptDraft}
          draft={state.draft}
          box={box}
        />
      </main>
    </PageContext.Provider>
  );
}
