import { useLayoutEffect } from "preact/hooks";

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
