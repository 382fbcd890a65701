import type { Translate } from "../l10n.ts";
import type { ClientStyle } from "../protocol/wireStyle.ts";

export function styleName(style: ClientStyle, t: Translate): string {
  switch (style) {
    case "chat-completions":
      return t("Chat Completions");
    case "messages":
      return t("Messages");
  }
}
