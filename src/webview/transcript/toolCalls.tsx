import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { type AnswerCall, commandToolName } from "../../chat/transcript/steps.ts";
import type { AnswerTurn } from "../../chat/transcript/transcript.ts";
import { toolArgumentsText } from "../../protocol/conversation/toolCalls.ts";
import { showInvisible } from "../../text/invisibleCharacters.ts";
import { callText, groupText } from "../announcements/callTexts.ts";
import { usePage } from "../context/pageContext.ts";
import { Icon, type IconName } from "../controls/icons.tsx";
import { useFocusFallback } from "./answerNotices.tsx";
import { useReply } from "./decisionCards.tsx";

/** From so many calls of one tool in a row on, they fold into one line. */
const minFolded = 3;

/** The calls of a step, a line each. Calls of one tool in a row fold into one line. */
export function ToolCalls({
  turn,
  calls,
}: {
  readonly turn: AnswerTurn;
  readonly calls: readonly AnswerCall[];
}): VNode {
  const running = calls.findIndex(({ state }) => state.kind === "running");
  return (
    <div class="tool-calls">
      {groupCalls(calls).map((group, index) =>
        group.length < minFolded ? (
          group.map((call, at) => <ToolCallLine key={`${index} ${at}`} call={call} />)
        ) : (
          <FoldedCalls key={index} calls={group} />
        ),
      )}
      {running >= 0 && (
        <RunningCall
          key={running}
          turn={turn}
          call={running}
          isCommand={calls[running]?.name === commandToolName}
        />
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

function isDone(call: AnswerCall): boolean {
  return call.state.kind === "settled" && call.state.result.outcome === "done" && !hasFailedCommand(call);
}

function hasFailedCommand({ state }: AnswerCall): boolean {
  return state.kind === "settled" && (state.result.facts?.exitCode ?? 0) !== 0;
}

/** The number in the line of these calls of one tool. Several edits may be of one file. */
function countOf(calls: readonly AnswerCall[]): number {
  if (calls[0]?.name !== "edit_file") return calls.length;
  return new Set(calls.map(({ state }) => state.kind === "settled" && state.result.facts?.path)).size;
}

function FoldedCalls({ calls }: { readonly calls: readonly AnswerCall[] }): VNode {
  const { t } = usePage();
  const name = calls[0]?.name ?? "";
  return (
    <details class="tool-call tool-group">
      <summary>
        <Icon name={iconOf(name)} />
        <span>{groupText(name, countOf(calls), t)}</span>
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
  const hasFailed = state.kind === "settled" && (outcome !== "done" || hasFailedCommand(call));
  return (
    <details class="tool-call" data-tool={name} data-outcome={outcome}>
      <summary>
        <Icon name={hasFailed ? "failure" : iconOf(name)} />
        <span>{callText(call, t)}</span>
      </summary>
      <CallText label={t("Arguments")} text={toolArgumentsText(call.arguments)} />
      {state.kind === "settled" && <CallText label={t("Result")} text={state.result.text} />}
    </details>
  );
}

/** The end of the running call's output, which is drawn outside of the component tree. */
function RunningCall({
  turn,
  call,
  isCommand,
}: {
  readonly turn: AnswerTurn;
  readonly call: number;
  readonly isCommand: boolean;
}): VNode {
  const { model, t } = usePage();
  const reply = useReply(turn, call);
  const frame = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => frame.current?.replaceChildren(model.views.output), [model]);
  return (
    <div ref={useFocusFallback()} class="running-call">
      <div ref={frame} class="live-output" dir="ltr" tabIndex={0} role="group" aria-label={t("Output")} />
      {isCommand && (
        <button type="button" class="secondary" onClick={() => reply({ type: "continue-in-background" })}>
          {t("Continue in Background")}
        </button>
      )}
    </div>
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
    case "edit_file":
      return "edit";
    case "create_file":
      return "save";
    case "run_command":
      return "terminal";
    case "read_output":
      return "text";
    case "fetch_url":
      return "website";
    case "ask_user":
      return "text";
    default:
      return "command";
  }
}
