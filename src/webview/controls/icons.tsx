import type { VNode } from "preact";
import { billableHints } from "./billable.ts";
import { type IconName, iconPaths } from "./iconPaths.ts";
import { usePage } from "../context/pageContext.ts";
import { restingHints } from "./restingButtons.ts";

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
