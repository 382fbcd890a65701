import { render } from "preact";
import { Announcer } from "./announcer.ts";
import { connectHost } from "./host.ts";
import { Page } from "./page.tsx";
import { PageModel } from "./pageModel.ts";

function startPage(root: HTMLElement): void {
  const host = connectHost();
  const announcer = new Announcer();
  document.body.append(announcer.element);
  let focusComposer: (() => void) | undefined;
  const onReady = (focus: () => void): void => {
    focusComposer = focus;
  };
  const model = new PageModel(host, announcer, {
    changed: (state) =>
      render(<Page model={model} state={state} keptDraft={host.keptDraft} onReady={onReady} />, root),
    focusComposer: () => focusComposer?.(),
  });
  model.start();
}

const root = document.getElementById("root");
if (root !== null) {
  startPage(root);
}
