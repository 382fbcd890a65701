import type { VNode } from "preact";
import { Icon } from "../controls/icons.tsx";

/** Stands above what is typed, and says what is to be known before it is sent. */
export function ComposerNote({ text }: { readonly text: string | undefined }): VNode | null {
  if (text === undefined) return null;
  return (
    <p class="composer-note" role="note">
      <Icon name="failure" />
      <span>{text}</span>
    </p>
  );
}
