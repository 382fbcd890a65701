import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { IconButton } from "./icons.tsx";
import { usePage } from "../context/pageContext.ts";

/** How long "Copied" is shown, in milliseconds. */
const copiedTime = 1500;

export function CopyButton({ text }: { readonly text: string }): VNode {
  const { model, t } = usePage();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = window.setTimeout(() => setCopied(false), copiedTime);
    return () => window.clearTimeout(timer);
  }, [isCopied]);
  const copy = (): void => {
    model.post({ type: "copy", text });
    model.announce(t("Copied"));
    setCopied(true);
  };
  return (
    <span class="copy">
      <IconButton name={t("Copy")} icon="copy" onClick={copy} />
      {isCopied && (
        <span class="copied" aria-hidden="true">
          {t("Copied")}
        </span>
      )}
    </span>
  );
}
