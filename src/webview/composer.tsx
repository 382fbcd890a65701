import type { RefObject, VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ChatHeader } from "../chat/panelProtocol.ts";
import type { ClientStyle } from "../protocol/wireStyle.ts";
import type { Translate } from "../l10n.ts";
import { Icon } from "./icons.tsx";
import { arrowDirection, isSendKey } from "./keys.ts";
import { usePage } from "./pageContext.ts";
import { Recall } from "./recall.ts";

/** What the host may ask of the composer. */
export interface ComposerHandle {
  readonly focus: () => void;
  /** Takes a text back that could not be sent, behind what was typed since. */
  readonly restore: (text: string) => void;
}

export interface ComposerProps {
  readonly header: ChatHeader;
  readonly arrives: boolean;
  /** What was asked on the branch on the screen, oldest first. */
  readonly questions: () => readonly string[];
  /** What was typed before; taken up where nothing is typed. */
  readonly draft: string;
  readonly box: RefObject<HTMLTextAreaElement | null>;
  /** Set to the composer's way to take a text back. */
  readonly restore: RefObject<((text: string) => void) | null>;
}

export function Composer({ header, arrives, questions, draft, box, restore }: ComposerProps): VNode {
  const { model, t, focusComposer } = usePage();
  const [text, setText] = useState(draft);
  useEffect(() => setText((typed) => (typed === "" ? draft : typed)), [draft]);
  const type = (typed: string): void => {
    setText(typed);
    model.keepDraft(typed);
  };
  restore.current = (returned) => type(text.trim() === "" ? returned : `${text}\n\n${returned}`);
  const send = (): void => {
    if (model.arrives || text.trim() === "") return;
    if (header.connection === null) {
      // Nothing can be sent yet; what was typed stays. With none to choose from, one can be added.
      model.post({ type: "choose", what: "connection" });
      return;
    }
    model.send(text);
    setText("");
    focusComposer();
  };
  const recall = useRef(new Recall());
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isSendKey(event)) {
      event.preventDefault();
      send();
      return;
    }
    const direction = arrowDirection(event);
    const recalled = direction && recall.current.step(direction, text, questions());
    if (recalled !== undefined) {
      event.preventDefault();
      type(recalled);
    }
  };
  return (
    <div class="composer">
      <Unencrypted host={header.unencryptedHost} />
      <textarea
        ref={box}
        dir="auto"
        rows={2}
        aria-label={t("Message")}
        placeholder={t("Ask a question")}
        value={text}
        onInput={(event) => type(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div class="composer-row">
        <Choices header={header} />
        {arrives ? (
          <button
            type="button"
            class="primary send"
            aria-label={t("Stop")}
            title={t("Stop (Escape)")}
            onClick={() => {
              model.post({ type: "stop" });
              focusComposer();
            }}
          >
            <Icon name="stop" />
          </button>
        ) : (
          <button
            type="button"
            class="primary send"
            aria-label={t("Send")}
            title={t("Send (Enter)")}
            aria-disabled={text.trim() === ""}
            onClick={send}
          >
            <Icon name="send" />
          </button>
        )}
      </div>
    </div>
  );
}

/** Stays for as long as it is so. */
function Unencrypted({ host }: { readonly host: string | undefined }): VNode | null {
  const { t } = usePage();
  if (host === undefined) return null;
  return (
    <p class="unencrypted" role="note">
      <Icon name="failure" />
      <span>{t("Not encrypted on the way to {0}", host)}</span>
    </p>
  );
}

function Choices({ header }: { readonly header: ChatHeader }): VNode {
  const { model, t } = usePage();
  const connection = header.connection ?? t("none");
  const style = styleName(header.clientStyle, t);
  const choices = [
    { what: "connection", name: t("Connection: {0}", connection), shown: connection },
    { what: "model", name: t("Model: {0}", header.model), shown: header.model },
    { what: "client-style", name: t("Client style: {0}", style), shown: style },
  ] as const;
  return (
    <div class="choices">
      {choices.map(({ what, name, shown }) => (
        <button
          key={what}
          type="button"
          class="choice"
          aria-label={name}
          title={name}
          onClick={() => model.post({ type: "choose", what })}
        >
          {what === "connection" && <Icon name="connection" />}
          <span class="choice-text">{shown}</span>
        </button>
      ))}
    </div>
  );
}

function styleName(style: ClientStyle, t: Translate): string {
  switch (style) {
    case "chat-completions":
      return t("Chat Completions");
    case "messages":
      return t("Messages");
  }
}
