import type { VNode } from "preact";
import type { Turn } from "../../chat/transcript/transcript.ts";
import { IconButton } from "../controls/buttons.tsx";
import { usePage } from "../context/pageContext.ts";

interface VersionsProps {
  readonly turn: Turn;
  readonly versions: readonly Turn[];
}

/** Buttons that switch between the versions of a turn; renders nothing for a single version. */
export function Versions({ turn, versions }: VersionsProps): VNode | null {
  const { model, t } = usePage();
  if (versions.length < 2) {
    return null;
  }
  const index = versions.findIndex(({ id }) => id === turn.id);
  const select = (step: number) => (): void => {
    const version = versions[index + step];
    if (version === undefined) return;
    model.post({ type: "select-version", turnId: version.id });
    model.announce(t("Version {0} of {1}", index + step + 1, versions.length));
  };
  return (
    <span class="versions">
      <IconButton
        name={t("Previous version")}
        icon="previous"
        rests
        disabled={index === 0}
        onClick={select(-1)}
      />
      <span class="version-count">{t("{0} / {1}", index + 1, versions.length)}</span>
      <IconButton
        name={t("Next version")}
        icon="next"
        rests
        disabled={index === versions.length - 1}
        onClick={select(1)}
      />
    </span>
  );
}
