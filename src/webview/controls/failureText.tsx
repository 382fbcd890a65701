import type { VNode } from "preact";
import type { Translate } from "../../text/translate.ts";
import { Icon } from "./icons.tsx";

interface FailureTextProps {
  readonly diagnosis: {
    readonly title: string;
    readonly explanation: string;
    readonly evidence: readonly string[];
  };
  readonly requestId: string | undefined;
  readonly t: Translate;
}

/** Explains a failure, with the evidence in a collapsed section. */
export function FailureText({ diagnosis, requestId, t }: FailureTextProps): VNode {
  const { title, explanation, evidence } = diagnosis;
  return (
    <>
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
    </>
  );
}
