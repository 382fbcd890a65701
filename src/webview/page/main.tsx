import { render } from "preact";
import { Announcer } from "../announcements/announcer.ts";
import type { ComposerHandle } from "../composer/composer.tsx";
import { connectHost } from "../context/host.ts";
import { Page } from "./page.tsx";
import { PageModel } from "../model/pageModel.ts";

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

const root = document.getElementById("root");
if (root !== null) {
  startPage(root);
}
