import type { VNode } from "preact";
import type { ShownBlock } from "../../connection/report/reportMessages.ts";
import type { Translate } from "../../l10n.ts";
import { Icon } from "../controls/icons.tsx";

interface DiagnosisAlertProps {
  readonly diagnosis: Extract<ShownBlock, { readonly kind: "diagnosis" }>["diagnosis"];
  readonly t: Translate;
  readonly onAction: (id: string) => void;
}

/** A failure, what it means and what to do, with its evidence behind a fold. */
export function DiagnosisAlert({ diagnosis, t, onAction }: DiagnosisAlertProps): VNode {
  const { cause, title, explanation, evidence, actions, requestId } = diagnosis;
  return (
    <div class="failure" role="alert" data-cause={cause}>
      <p class="failure-title">
        <Icon name="failure" />
        <strong>{title}</strong>
      </p>
      <p>{explanation}</p>
      {evidence.length > 0 && (
        <details>
          <summary>{t("Details")}</summary>
          <ul>
            {evidence.map((fact) => (
              <li key={fact}>{fact}</li>
            ))}
          </ul>
        </details>
      )}
      {requestId !== undefined && <p class="request-id">{t("Request ID: {0}", requestId)}</p>}
      <div class="button-row">
        {actions.map(({ id, label }, index) => (
          <button
            key={id}
            type="button"
            class={index === 0 ? "primary" : "secondary"}
            onClick={() => onAction(id)}
          >
            {label}
          </button>
        ))}
      </div>
    </div>
  );
}
