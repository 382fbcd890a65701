import type { VNode } from "preact";
import type { AnswerCall } from "../../chat/transcript/steps.ts";
import { toolArgumentsText } from "../../protocol/conversation/toolCalls.ts";
import { showInvisible } from "../../text/invisibleCharacters.ts";
import { callText, groupText } from "../announcements/callTexts.ts";
import { usePage } from "../context/pageContext.ts";
import { Icon, type IconName } from "../controls/icons.tsx";

/** From so many calls of one tool in a row on, they fold into one line. */
const minFolded = 3;

/** The calls of a step, a line each. Calls of one tool in a row fold into one line. */
export function ToolCalls({ calls }: { readonly calls: readonly AnswerCall[] }): VNode {
  return (
    <div class="tool-calls">
      {groupCalls(calls).map((group, index) =>
        group.length < minFolded ? (
          group.map((call, at) => <ToolCallLine key={`${index} ${at}`} call={call} />)
        ) : (
          <FoldedCalls key={index} calls={group} />
        ),
      )}
    </div>
  );
}

/** Finished calls of one tool in a row form a group; every other call stands alone. */
function groupCalls(calls: readonly AnswerCall[]): readonly (readonly AnswerCall[])[] {
  const groups: AnswerCall[][] = [];
  for (const call of calls) {
    const last = groups.at(-1);
    const first = last?.[0];
    const joins = first !== undefined && first.name === call.name && isDone(first) && isDone(call);
    if (joins) last?.push(call);
    else groups.push([call]);
  }
  return groups;
}

function isDone({ state }: AnswerCall): boolean {
  return state.kind === "settled" && state.result.outcome === "done";
}

function FoldedCalls({ calls }: { readonly calls: readonly AnswerCall[] }): VNode {
  const { t } = usePage();
  const name = calls[0]?.name ?? "";
  return (
    <details class="tool-call tool-group">
      <summary>
        <Icon name={iconOf(name)} />
        <span>{groupText(name, calls.length, t)}</span>
      </summary>
      {calls.map((call, index) => (
        <ToolCallLine key={index} call={call} />
      ))}
    </details>
  );
}

function ToolCallLine({ call }: { readonly call: AnswerCall }): VNode {
  const { t } = usePage();
  const { state, name } = call;
  const outcome = state.kind === "settled" ? state.result.outcome : state.kind;
  return (
    <details class="tool-call" data-tool={name} data-outcome={outcome}>
      <summary>
        <Icon name={outcome === "done" || state.kind !== "settled" ? iconOf(name) : "failure"} />
        <span>{callText(call, t)}</span>
      </summary>
      <CallText label={t("Arguments")} text={toolArgumentsText(call.arguments)} />
      {state.kind === "settled" && <CallText label={t("Result")} text={state.result.text} />}
    </details>
  );
}

function CallText({ label, text }: { readonly label: string; readonly text: string }): VNode {
  return (
    <div class="tool-text">
      <span class="quiet">{label}</span>
      <pre dir="ltr" tabIndex={0} aria-label={label}>
        {showInvisible(text)}
      </pre>
    </div>
  );
}

function iconOf(name: string): IconName {
  switch (name) {
    case "read_file":
      return "file";
    case "search_text":
    case "find_files":
      return "search";
    case "list_folder":
      return "folder";
    case "get_problems":
      return "problems";
    case "get_changes":
      return "diff";
    case "ask_user":
      return "text";
    default:
      return "command";
  }
}
