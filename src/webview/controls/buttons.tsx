import type { VNode } from "preact";
import { useEffect, useState, useLayoutEffect } from "preact/hooks";
import { Icon, type IconName } from "./icons.tsx";
import { usePage } from "../context/pageContext.ts";
import type { Translate } from "../../text/translate.ts";

interface IconButtonProps {
  readonly name: string;
  readonly icon: IconName;
  readonly disabled?: boolean;
  /** It does nothing while an answer arrives. */
  readonly rests?: boolean;
  /** It sends a request that the service may bill, which its hint tells. */
  readonly isBillable?: boolean;
  readonly onClick: () => void;
}

/** A button that shows a symbol only; its name is read out and shown as a hint. */
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
        // A button that is only said to be disabled keeps the focus.
        if (!disabled && !(rests && model.arrives)) onClick();
      }}
    >
      <Icon name={icon} />
    </button>
  );
}

/** How long "Copied" is shown, in milliseconds. */
const copiedTime = 1500;

/** Copies the text, and says so for a moment. */
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
 * What tells of a button that it sends a request which the service may bill: the same words wherever there
 * is one, by pointer and by screen reader.
 */
export function billableHints(
  name: string,
  t: Translate,
): { readonly title: string; readonly "aria-description": string } {
  return { title: t("{0} · billable request", name), "aria-description": t("Billable request") };
}

/** Attributes of a button that does nothing while an answer arrives. */
export function restingHints(arrives: boolean): {
  readonly "data-rests": true;
  readonly "aria-disabled": boolean;
} {
  return { "data-rests": true, "aria-disabled": arrives };
}

/**
 * Says of all such buttons at once whether they rest. That an answer begins or ends changes nothing else of
 * the turns before it, so that these need not be rendered anew, however many they are.
 */
export function useRestingButtons(place: { readonly current: HTMLElement | null }, arrives: boolean): void {
  useLayoutEffect(() => {
    for (const button of place.current?.querySelectorAll("[data-rests]") ?? []) {
      button.setAttribute("aria-disabled", String(arrives));
    }
  }, [place, arrives]);
}
