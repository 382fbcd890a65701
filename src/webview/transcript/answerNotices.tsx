import type { VNode, RefObject } from "preact";
import { useMemo, useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { AnswerState, AnswerTurn, RetryingState } from "../../chat/transcript/transcript.ts";
import { billableHints, restingHints } from "../controls/buttons.tsx";
import { FailureText } from "../controls/failureText.tsx";
import { usePage } from "../context/pageContext.ts";
import type { FromWebview } from "../../chat/page/protocol.ts";
import { retryText, silenceText } from "../announcements/answerTexts.ts";

interface FailureAlertProps {
  readonly turn: AnswerTurn;
  readonly diagnosis: FailureDiagnosis;
}

type FailureDiagnosis = Extract<AnswerState, { kind: "failed" }>["diagnosis"];
type FailureAction = FailureDiagnosis["actions"][number]["id"];

/** Whether an action sends a request that the service may bill. */
const isBillableAction: Readonly<Record<FailureAction, boolean>> = {
  "set-api-key": false,
  "select-model": false,
  "edit-connection": false,
  "open-connections-setting": false,
  "add-connection": false,
  "check-connection": true,
  "show-log": false,
  retry: true,
  "new-chat": false,
  "change-max-tokens": false,
  "select-client-style": false,
  "learn-more": false,
};

/** The actions that the failure alert offers itself, so that the footer does not repeat them. */
export function offeredByAlert({ actions }: FailureDiagnosis): {
  readonly retry: boolean;
  readonly retryWith: boolean;
} {
  return {
    retry: actions.some(({ id }) => id === "retry"),
    // If selecting another model may help, so may asking only this question with another model.
    retryWith: actions.some(({ id }) => id === "select-model"),
  };
}

/** Shows why the answer failed, with buttons for actions that may help. */
export function FailureAlert({ turn, diagnosis }: FailureAlertProps): VNode {
  const { model, t, focusComposer } = usePage();
  const askAgain = t("Ask Again With...");
  const requestId = diagnosis.requestId ?? turn.requestId;
  const act = (action: FailureAction): void => {
    if (action === "retry" && model.arrives) return;
    model.post({ type: "action", action, turnId: turn.id });
    // The button disappears together with the failure.
    if (action === "retry") focusComposer();
  };
  // An old failure is not news when its chat, or another version, is shown again.
  const isNews = useMemo(() => model.consumeNews(turn.id), [model, turn.id]);
  return (
    <div
      // Screen readers read an alert only when its element is new.
      key={turn.id}
      class="failure"
      role={isNews ? "alert" : "group"}
      aria-label={isNews ? undefined : diagnosis.title}
      data-cause={diagnosis.cause}
    >
      <FailureText diagnosis={diagnosis} requestId={requestId} t={t} />
      <div class="button-row">
        {diagnosis.actions.map(({ id, label }, index) => (
          <button
            key={id}
            type="button"
            class={index === 0 ? "primary" : "secondary"}
            {...(isBillableAction[id] ? billableHints(label, t) : {})}
            {...(id === "retry" ? restingHints(model.arrives) : {})}
            onClick={() => act(id)}
          >
            {label}
          </button>
        ))}
        {offeredByAlert(diagnosis).retryWith && (
          <button
            type="button"
            class="secondary"
            {...billableHints(askAgain, t)}
            {...restingHints(model.arrives)}
            onClick={() => {
              if (!model.arrives) model.post({ type: "retry-with", turnId: turn.id });
            }}
          >
            {askAgain}
          </button>
        )}
      </div>
    </div>
  );
}

/** Counts down to the next try. A screen reader reads the notice once at the start, but not each second. */
export function RetryNotice({ state }: { readonly state: RetryingState }): VNode {
  const { t } = usePage();
  const seconds = useSecondsLeft(state);
  return (
    <div
      ref={useFocusFallback()}
      class="arrival"
      role="status"
      aria-live="off"
      aria-label={t("Waiting to retry")}
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

/** Says that no data arrives. Not an alert, because the service may only be slow. */
export function SilenceNotice({
  turn,
  seconds,
}: {
  readonly turn: AnswerTurn;
  readonly seconds: number;
}): VNode {
  const { t } = usePage();
  return (
    <div
      ref={useFocusFallback()}
      class="arrival"
      role="status"
      aria-live="off"
      aria-label={t("Waiting for the service")}
    >
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

/** A button that disappears with its notice when pressed. Moves the focus to the composer. */
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

/** If the notice has the focus when the notice disappears, moves the focus to the composer. */
export function useFocusFallback(): RefObject<HTMLDivElement | null> {
  const { focusComposer } = usePage();
  const notice = useRef<HTMLDivElement>(null);
  useLayoutEffect(
    () => () => {
      // Do not take the focus from another part of VS Code.
      if (document.hasFocus() && notice.current?.contains(document.activeElement) === true) focusComposer();
    },
    [],
  );
  return notice;
}

/** Whole seconds until the next try, counted only while the notice is on the screen. */
function useSecondsLeft({ until, waitMs }: RetryingState): number {
  const left = (): number => {
    // The host's clock may differ from this one: never show more than `waitMs`.
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
