import type { VNode } from "preact";
import { useEffect, useState, useLayoutEffect } from "preact/hooks";
import { Icon, type IconName } from "./icons.tsx";
import { usePage } from "../context/pageContext.ts";
import type { Translate } from "../../text/translate.ts";

interface IconButtonProps {
  readonly name: string;
  readonly icon: IconName;
  readonly disabled?: boolean;
  /** Whether the button does nothing while an answer streams. */
  readonly rests?: boolean;
  /** Whether the button sends a request that the service may bill. The tooltip says so. */
  readonly isBillable?: boolean;
  readonly onClick: () => void;
}

/** A button with only an icon. Its name is the accessible name and the tooltip. */
export function IconButton(props: IconButtonProps): VNode {
  const { name, icon, disabled = false, rests = false, isBillable = false, onClick } = props;
  const { model, t } = usePage();
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={name}
      {...(isBillable ? billableHints(name, t) : { title: name })}
      aria-disabled={disabled}
      {...(rests && !disabled ? restingHints(model.arrives) : {})}
      onClick={() => {
        // Use `aria-disabled`, because a button with `disabled` would lose the focus.
        if (!disabled && !(rests && model.arrives)) onClick();
      }}
    >
      <Icon name={icon} />
    </button>
  );
}

/** How long "Copied" is shown, in ms. */
const copiedTime = 1500;

/** Copies the text and briefly shows "Copied". */
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

/**
 * Attributes of a button whose request the service may bill: the same words in every tooltip and screen reader text.
 */
export function billableHints(
  name: string,
  t: Translate,
): { readonly title: string; readonly "aria-description": string } {
  return { title: t("{0} · billable request", name), "aria-description": t("Billable request") };
}

/** Attributes of a button that does nothing while an answer streams. */
export function restingHints(arrives: boolean): {
  readonly "data-rests": true;
  readonly "aria-disabled": boolean;
} {
  return { "data-rests": true, "aria-disabled": arrives };
}

/**
 * Enables or disables all buttons with `restingHints` inside `place`. Setting the attribute directly saves rendering
 * all earlier turns when an answer starts or ends.
 */
export function useRestingButtons(place: { readonly current: HTMLElement | null }, arrives: boolean): void {
  useLayoutEffect(() => {
    for (const button of place.current?.querySelectorAll("[data-rests]") ?? []) {
      button.setAttribute("aria-disabled", String(arrives));
    }
  }, [place, arrives]);
}
