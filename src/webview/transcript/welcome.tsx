import type { VNode } from "preact";
import type { ChatHeader } from "../../chat/page/protocol.ts";
import { usePage } from "../context/pageContext.ts";

/** What an empty chat says: how to begin. */
export function Welcome({ header }: { readonly header: ChatHeader }): VNode {
  const { t } = usePage();
  if (header.connection === null) return header.choosable ? <Unbound /> : <NoConnection />;
  return (
    <div class="welcome">
      <h2>{t("Ask {0}", header.model)}</h2>
      <p class="quiet">{t("Questions go to the connection {0}.", header.connection)}</p>
      <p class="quiet">{t("Enter sends, Shift+Enter begins a new line.")}</p>
      {header.restricted && (
        <p class="quiet">{t("In Restricted Mode this workspace's prompts and instructions are not read.")}</p>
      )}
    </div>
  );
}

function NoConnection(): VNode {
  const { model, t } = usePage();
  const add = (): void => model.post({ type: "action", action: "add-connection" });
  return (
    <div class="welcome">
      <h2>{t("Welcome to Inference Chat")}</h2>
      <p>{t("Add a connection to your inference service to begin: its address and your API key.")}</p>
      <p class="quiet">
        {t("The key is kept in the editor's secret storage, and sent to that service only.")}
      </p>
      <button type="button" class="primary" onClick={add}>
        {t("Add Connection...")}
      </button>
    </div>
  );
}

function Unbound(): VNode {
  const { model, t } = usePage();
  const choose = (): void => model.post({ type: "choose", what: "connection" });
  return (
    <div class="welcome">
      <h2>{t("Which connection is this workspace for?")}</h2>
      <p>{t("Nothing is sent before you have chosen; the choice is kept for this workspace.")}</p>
      <button type="button" class="primary" onClick={choose}>
        {t("Choose Connection...")}
      </button>
    </div>
  );
}
