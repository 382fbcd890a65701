// Runs in the page's HTML (`editor/chat/pageFrame`), whose box takes text before the page's code is read. The editor
// shows a page when it is loaded: until then nothing is begun that would hold that up.
import { isSendKey } from "./keys.ts";

const box = document.querySelector<HTMLTextAreaElement>("textarea[data-early]");
const nonce = document.currentScript?.nonce ?? "";

/** Until the composer has taken it over (`earlyText.ts`). */
const isEarly = (): boolean => box?.dataset["early"] !== undefined;

window.addEventListener("focus", () => {
  if (box === null || !isEarly()) return;
  box.dataset["focused"] = "";
  box.focus();
});

box?.addEventListener("keydown", (event) => {
  if (!isEarly() || !isSendKey(event)) return;
  event.preventDefault();
  // Sent once the chat is there; what is typed from here on is the next question's.
  if (box.dataset["asked"] !== undefined || box.value.trim() === "") return;
  box.dataset["asked"] = box.value;
  box.value = "";
});

function readPage(): void {
  const script = document.createElement("script");
  script.type = "module";
  script.nonce = nonce;
  script.src = document.querySelector<HTMLLinkElement>("[rel=modulepreload]")?.href ?? "";
  document.head.append(script);
}

window.addEventListener("load", () => {
  const style = document.querySelector<HTMLLinkElement>("[as=style]");
  style?.addEventListener("load", readPage, { once: true });
  // A page that looks poor is better than none.
  style?.addEventListener("error", readPage);
  style?.setAttribute("rel", "stylesheet");
});
