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

/** A failure and what it means, with its evidence behind a fold. */
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
