import type { VNode } from "preact";
import type { AnswerState, AnswerTurn } from "../chat/transcript.ts";
import { Icon } from "./icons.tsx";
import { usePage } from "./pageContext.ts";

export interface FailureAlertProps {
  readonly turn: AnswerTurn;
  readonly diagnosis: Extract<AnswerState, { kind: "failed" }>["diagnosis"];
}

export function FailureAlert({ turn, diagnosis }: FailureAlertProps): VNode {
  const { model, t } = usePage();
  const requestId = diagnosis.requestId ?? turn.requestId;
  return (
    <div class="failure" role="alert" data-cause={diagnosis.cause}>
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
            onClick={() => model.post({ type: "action", action: id, turnId: turn.id })}
          >
            {label}
          </button>
        ))}
      </div>
    </div>
  );
}
