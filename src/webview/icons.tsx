import type { VNode } from "preact";
import { type IconName, iconPaths } from "./iconPaths.ts";

export function Icon({ name }: { readonly name: IconName }): VNode {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={iconPaths[name]} />
    </svg>
  );
}

interface IconButtonProps {
  readonly name: string;
  readonly icon: IconName;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

/** A button that shows a symbol only; its name is read out and shown as a hint. */
export function IconButton({ name, icon, disabled = false, onClick }: IconButtonProps): VNode {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={name}
      title={name}
      aria-disabled={disabled}
      onClick={() => {
        // A button that is only said to be disabled keeps the focus.
        if (!disabled) onClick();
      }}
    >
      <Icon name={icon} />
    </button>
  );
}
