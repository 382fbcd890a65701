import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import type { AnswerState, AnswerTurn } from "../../chat/transcript/transcript.ts";
import { billableHints, restingHints } from "../controls/buttons.tsx";
import { Icon } from "../controls/icons.tsx";
import { usePage } from "../context/pageContext.ts";

interface FailureAlertProps {
  readonly turn: AnswerTurn;
  readonly diagnosis: FailureDiagnosis;
}

type FailureDiagnosis = Extract<AnswerState, { kind: "failed" }>["diagnosis"];
type FailureAction = FailureDiagnosis["actions"][number]["id"];

/** What the notice of a failure offers itself, so that it is not offered twice. */
export function offeredByAlert({ actions }: FailureDiagnosis): {
  readonly retry: boolean;
  readonly retryWith: boolean;
} {
  return {
    retry: actions.some(({ id }) => id === "retry"),
    // Where another model may help, so may one for this answer alone.
    retryWith: actions.some(({ id }) => id === "select-model"),
  };
}

export function FailureAlert({ turn, diagnosis }: FailureAlertProps): VNode {
  const { model, t, focusComposer } = usePage();
  const askAgain = t("Ask Again With...");
  const requestId = diagnosis.requestId ?? turn.requestId;
  const act = (action: FailureAction): void => {
    if (action === "retry" && model.arrives) return;
    model.post({ type: "action", action, turnId: turn.id });
    // The button goes away with the failure.
    if (action === "retry") focusComposer();
  };
  // What failed before is no news when its chat, or another version, is shown again.
  const isNews = useMemo(() => model.takeNews(turn.id), [model, turn.id]);
  return (
    <div
      // What is read out is an element that comes.
      key={turn.id}
      class="failure"
      role={isNews ? "alert" : "group"}
      aria-label={isNews ? undefined : diagnosis.title}
      data-cause={diagnosis.cause}
    >
      <p class="failure-title">
        <Icon name="failure" />
        <strong>{diagnosis.title}</strong>
      </p>
      <p>{diagnosis.explanation}</p>
      {diagnosis.evidence.length > 0 && (
        <details>
          <summary>{t("Details")}</summary>
          <ul>
            {diagnosis.evidence.map((fact) => (
              <li key={fact}>{fact}</li>
            ))}
          </ul>
        </details>
      )}
      {requestId !== undefined && <p class="request-id">{t("Request ID: {0}", requestId)}</p>}
      <div class="button-row">
        {diagnosis.actions.map(({ id, label }, index) => (
          <button
            key={id}
            type="button"
            class={index === 0 ? "primary" : "secondary"}
            {...(id === "retry" || id === "check-connection" ? billableHints(label, t) : {})}
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
