import type { VNode } from "preact";

const paths = {
  copy: "M5.5 2.5h8v9h-8zM3 4.5v9.5h7.5",
  retry: "M13 8a5 5 0 1 1-1.6-3.7M13.2 2v3h-3",
  edit: "M3 13l.7-2.9 7.4-7.4 2.2 2.2-7.4 7.4zM9.8 4l2.2 2.2",
  previous: "M10 3.5L5.5 8l4.5 4.5",
  next: "M6 3.5L10.5 8 6 12.5",
  send: "M8 13.2V3M3.8 7L8 2.8 12.2 7",
  stop: "M4.5 4.5h7v7h-7z",
  down: "M8 3v9.5M4 8.6l4 4 4-4",
  connection: "M5.5 2v3.5M10.5 2v3.5M3.8 5.5h8.4v2a4.2 4.2 0 0 1-8.4 0zM8 11.7V14",
  failure: "M8 2.3L14.2 13H1.8zM8 6.4v3.2M8 11v.6",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { readonly name: IconName }): VNode {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
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
