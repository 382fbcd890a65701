import type { RefObject, VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { FromWebview } from "../../chat/page/protocol.ts";
import type { AnswerTurn, RetryingState } from "../../chat/transcript/transcript.ts";
import { usePage } from "../context/pageContext.ts";
import { billableHints } from "../controls/buttons.tsx";
import { retryText, silenceText } from "../announcements/answerTexts.ts";

/** Counts down to the next try. It was read out once when it began, so the seconds are not. */
export function RetryNotice({ state }: { readonly state: RetryingState }): VNode {
  const { t } = usePage();
  const seconds = useSecondsLeft(state);
  return (
    <div
      ref={useFocusLeft()}
      class="arrival"
      role="status"
      aria-live="off"
      aria-label={t("Waiting to try again")}
      data-cause={state.cause}
    >
      <p>{retryText(state, seconds, t)}</p>
      <div class="button-row">
        <NoticeButton label={t("Retry Now")} isPrimary isBillable message={{ type: "retry-now" }} />
        <NoticeButton label={t("Stop")} message={{ type: "stop" }} />
      </div>
    </div>
  );
}

/** Says that nothing arrives; quietly, since it may only be slow. */
export function SilenceNotice({
  turn,
  seconds,
}: {
  readonly turn: AnswerTurn;
  readonly seconds: number;
}): VNode {
  const { t } = usePage();
  return (
    <div ref={useFocusLeft()} class="arrival" role="status" aria-live="off" aria-label={t("Nothing arrives")}>
      <p>{silenceText(seconds, t)}</p>
      <div class="button-row">
        <NoticeButton label={t("Wait")} isPrimary message={{ type: "keep-waiting" }} />
        <NoticeButton label={t("Stop")} message={{ type: "stop" }} />
        <NoticeButton label={t("Retry")} isBillable message={{ type: "retry", turnId: turn.id }} />
      </div>
    </div>
  );
}

interface NoticeButtonProps {
  readonly label: string;
  readonly isPrimary?: boolean;
  readonly isBillable?: boolean;
  readonly message: FromWebview;
}

/** Goes away with its notice when it is pressed; the focus goes where typing goes on. */
function NoticeButton(props: NoticeButtonProps): VNode {
  const { label, isPrimary = false, isBillable = false, message } = props;
  const { model, t, focusComposer } = usePage();
  return (
    <button
      type="button"
      class={isPrimary ? "primary" : "secondary"}
      {...(isBillable ? billableHints(label, t) : {})}
      onClick={() => {
        model.post(message);
        focusComposer();
      }}
    >
      {label}
    </button>
  );
}

/** A notice that goes away by itself leaves the focus that it has where typing goes on. */
function useFocusLeft(): RefObject<HTMLDivElement | null> {
  const { focusComposer } = usePage();
  const notice = useRef<HTMLDivElement>(null);
  useLayoutEffect(
    () => () => {
      // A page that does not have the focus takes it from nobody.
      if (document.hasFocus() && notice.current?.contains(document.activeElement) === true) focusComposer();
    },
    [],
  );
  return notice;
}

/** Whole seconds until the next try, counted only while this is on the screen. */
function useSecondsLeft({ until, waitMs }: RetryingState): number {
  const left = (): number => {
    // The host's clock may be another one: no wait is longer than was said.
    const milliseconds = Math.min(Date.parse(until) - Date.now(), waitMs);
    return Math.max(0, Math.ceil(milliseconds / 1000));
  };
  const [seconds, setSeconds] = useState(left);
  useEffect(() => {
    setSeconds(left());
    const timer = window.setInterval(() => setSeconds(left()), 500);
    return () => window.clearInterval(timer);
  }, [until]);
  return seconds;
}
