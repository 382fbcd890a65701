import { useEffect, useRef } from "preact/hooks";

/** The button that led to the first connection goes away with it: whoever comes back goes on in the composer. */
export function useFocusAfterConnection(isConnected: boolean, focusComposer: () => void): void {
  const wasConnected = useRef(isConnected);
  useEffect(() => {
    const isFirst = isConnected && !wasConnected.current;
    wasConnected.current = isConnected;
    if (!isFirst) return undefined;
    const takeFocus = (): void => {
      if (document.activeElement === document.body) focusComposer();
    };
    if (document.hasFocus()) {
      takeFocus();
      return undefined;
    }
    window.addEventListener("focus", takeFocus, { once: true });
    return () => window.removeEventListener("focus", takeFocus);
  }, [isConnected, focusComposer]);
}
