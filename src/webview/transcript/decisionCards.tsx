import type { ComponentChildren, TargetedMouseEvent, VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import type { AllowScope, AnswerCall, CallReply, CallRequest } from "../../chat/transcript/steps.ts";
import type { AnswerTurn, PausedState } from "../../chat/transcript/transcript.ts";
import { showInvisible } from "../../text/invisibleCharacters.ts";
import type { Translate } from "../../text/translate.ts";
import { cautionText, lineCountText, pauseText, requestText } from "../announcements/callTexts.ts";
import { usePage } from "../context/pageContext.ts";
import { billableHints } from "../controls/buttons.tsx";
import { Icon } from "../controls/icons.tsx";
import { useFocusFallback } from "./answerNotices.tsx";
import { DiffView } from "./diffView.tsx";

/** The card of the call that waits for the user, if one does. */
export function CallCard({ turn }: { readonly turn: AnswerTurn }): VNode | null {
  const calls: readonly AnswerCall[] = turn.steps?.at(-1)?.calls ?? [];
  const index = calls.findIndex(({ state }) => state.kind === "asking");
  const state = calls[index]?.state;
  const request = state?.kind === "asking" ? state.request : undefined;
  const key = useCount(request);
  if (request === undefined) return null;
  return request.type === "question" ? (
    <QuestionCard key={key} turn={turn} call={index} request={request} />
  ) : (
    <ApprovalCard key={key} turn={turn} call={index} request={request} />
  );
}

/** Counts the requests. The next one can come before the page has shown that there was none. */
function useCount(request: CallRequest | undefined): number {
  const latest = useRef({ request, count: 0 });
  if (latest.current.request !== request) latest.current = { request, count: latest.current.count + 1 };
  return latest.current.count;
}

interface CardProps<Request> {
  readonly turn: AnswerTurn;
  readonly call: number;
  readonly request: Request;
}

function ApprovalCard({ turn, call, request }: CardProps<Exclude<CallRequest, { type: "question" }>>): VNode {
  const { t } = usePage();
  const reply = useReply(turn, call);
  const [why, setWhy] = useState("");
  const deny = (): void => reply({ type: "deny", why: why.trim() });
  // The second press of a double click is meant for the card before this one.
  const allow = (event: TargetedMouseEvent<HTMLButtonElement>, scope: AllowScope): void => {
    if (event.detail >= 2) return;
    reply({ type: "allow", scope }, request.type === "tool" ? event.currentTarget : undefined);
  };
  const wider = widerPermission(request, t);
  return (
    <Card label={t("Approval needed")} text={requestText(request, t)} onEscape={deny}>
      {request.type === "edit" && <EditDetails request={request} />}
      {request.type === "command" && <CommandDetails request={request} />}
      {request.type === "tool" && <ToolDetails request={request} />}
      {request.type === "website" && <WebsiteDetails request={request} />}
      <input
        type="text"
        class="card-text"
        aria-label={t("Reason (optional)")}
        placeholder={t("Reason (optional)")}
        value={why}
        onInput={(event) => setWhy(event.currentTarget.value)}
      />
      <div class="button-row">
        <button type="button" class="primary" onClick={(event) => allow(event, "call")}>
          {t("Allow")}
        </button>
        <button type="button" class="secondary" onClick={deny}>
          {t("Deny")}
        </button>
        {wider !== undefined && (
          <button type="button" class="secondary" onClick={(event) => allow(event, wider.scope)}>
            {wider.name}
          </button>
        )}
      </div>
    </Card>
  );
}

/** A permission beyond this call, if the card may give one. */
function widerPermission(
  request: CallRequest,
  t: Translate,
): { readonly scope: AllowScope; readonly name: string } | undefined {
  if (request.type === "edit" && request.canAllowForAnswer)
    return { scope: "answer", name: t("Allow Edits for This Answer") };
  if (request.type === "command" && !request.isAllowedBefore && request.isElsewhere !== true)
    return { scope: "workspace", name: t("Always Allow This Command") };
  if (request.type === "tool" && request.canAllowForSession)
    return { scope: "session", name: t("Allow for This Session") };
  if (request.type === "website") return { scope: "answer", name: t("Allow This Host for This Answer") };
  return undefined;
}

function EditDetails({ request }: { readonly request: Extract<CallRequest, { type: "edit" }> }): VNode {
  const { t } = usePage();
  return (
    <>
      <DiffView diff={request.diff} />
      {request.cautions.length > 0 && (
        <ul class="card-cautions">
          {request.cautions.map((caution) => (
            <li key={caution}>
              <Icon name="failure" />
              <span>{cautionText(caution, t)}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function CommandDetails({
  request: { command, purpose, folder, timeoutSeconds, isAllowedBefore, isTask },
}: {
  readonly request: Extract<CallRequest, { type: "command" }>;
}): VNode {
  const { t } = usePage();
  const facts = [
    t("Runs in '{0}'.", showInvisible(folder)),
    t("After {0} s, the command continues in the background.", timeoutSeconds),
    ...(isTask ? [t("Runs as a task, because the terminal can't report when a command ends.")] : []),
    ...(isAllowedBefore
      ? [t("This answer has read content from outside the workspace, so your earlier permission asks again.")]
      : []),
  ];
  const lines = lineCountText(command, t);
  return (
    <>
      {lines !== "" && <p class="card-lines quiet">{lines}</p>}
      <pre class="card-code" dir="ltr" tabIndex={0} role="group" aria-label={t("Command")}>
        {showInvisible(command)}
      </pre>
      {purpose.trim() !== "" && (
        <p class="card-quote" dir="auto">
          {t("The model says: {0}", showInvisible(purpose.trim()))}
        </p>
      )}
      <p class="quiet">{facts.join(" ")}</p>
    </>
  );
}

/** VS Code's own question shows no arguments, so this card shows them all. */
function ToolDetails({
  request: { source, arguments: given, asksAgain },
}: {
  readonly request: Extract<CallRequest, { type: "tool" }>;
}): VNode {
  const { t } = usePage();
  const facts = [
    ...(asksAgain === "outside-content"
      ? [t("This answer has read content from outside the workspace, so your earlier permission asks again.")]
      : []),
    ...(asksAgain === "typing" ? [t("You are typing, so your earlier permission asks again.")] : []),
    t("After you allow it, VS Code might ask once more."),
  ];
  return (
    <>
      <p class="quiet" dir="auto">
        {t("Provided by: {0}", showInvisible(source))}
      </p>
      <pre class="card-code" dir="ltr" tabIndex={0} role="group" aria-label={t("Arguments")}>
        {showInvisible(given)}
      </pre>
      <p class="quiet">{facts.join(" ")}</p>
    </>
  );
}

/** Shows a host name in its ASCII form, because letters of other scripts can look like its own. */
function WebsiteDetails({
  request: { url, host, asksAgain },
}: {
  readonly request: Extract<CallRequest, { type: "website" }>;
}): VNode {
  const { t } = usePage();
  const facts = [
    ...(/(?:^|\.)xn--/.test(host)
      ? [t("This host name contains letters that can look like others. It is shown in its ASCII form.")]
      : []),
    ...(url.startsWith("http:") ? [t("The request isn't encrypted.")] : []),
    ...(asksAgain
      ? [t("This answer has read content from elsewhere, so your earlier permission asks again.")]
      : []),
    t("The website gets everything in this URL, and the IP address of the machine that runs Inference Chat."),
  ];
  return (
    <>
      <p class="card-host" dir="ltr">
        {t("Host: {0}", showInvisible(host))}
      </p>
      <pre class="card-code" dir="ltr" tabIndex={0} role="group" aria-label={t("URL")}>
        {showInvisible(url)}
      </pre>
      <p class="quiet">{facts.join(" ")}</p>
    </>
  );
}

function QuestionCard({ turn, call, request }: CardProps<Extract<CallRequest, { type: "question" }>>): VNode {
  const { t } = usePage();
  const reply = useReply(turn, call);
  const [text, setText] = useState("");
  const send = (): void => {
    if (text.trim() !== "") reply({ type: "answer", text: text.trim() });
  };
  const skip = (): void => reply({ type: "deny", why: "" });
  return (
    <Card label={t("Question")} text={requestText(request, t)} onEscape={skip}>
      {request.options.length > 0 && (
        <div class="button-row">
          {request.options.map((option) => (
            <button
              key={option}
              type="button"
              class="secondary"
              onClick={() => reply({ type: "answer", text: option })}
            >
              {showInvisible(option)}
            </button>
          ))}
        </div>
      )}
      <input
        type="text"
        class="card-text"
        aria-label={t("Your answer")}
        placeholder={t("Your answer")}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.isComposing) send();
        }}
      />
      <div class="button-row">
        <button type="button" class="primary" aria-disabled={text.trim() === ""} onClick={send}>
          {t("Answer")}
        </button>
        <button type="button" class="secondary" onClick={skip}>
          {t("Skip")}
        </button>
      </div>
    </Card>
  );
}

/** Asks whether a paused answer may send more requests. */
export function PauseCard({
  turn,
  state,
}: {
  readonly turn: AnswerTurn;
  readonly state: PausedState;
}): VNode {
  const { model, t, focusComposer } = usePage();
  const reply = (goesOn: boolean): void => {
    model.post({ type: "reply-pause", turnId: turn.id, goesOn });
    focusComposer();
  };
  const name = t("Continue");
  return (
    <Card label={t("Paused")} text={pauseText(state.reason, t)} onEscape={() => reply(false)}>
      <div class="button-row">
        <button type="button" class="primary" {...billableHints(name, t)} onClick={() => reply(true)}>
          {name}
        </button>
        <button type="button" class="secondary" onClick={() => reply(false)}>
          {t("Stop")}
        </button>
      </div>
    </Card>
  );
}

interface CardFrameProps {
  readonly label: string;
  readonly text: string;
  readonly onEscape: () => void;
  readonly children: ComponentChildren;
}

/** Escape replies to the card. Outside a card it stops the answer. */
function Card({ label, text, onEscape, children }: CardFrameProps): VNode {
  return (
    <div
      ref={useFocusFallback()}
      class="card"
      role="group"
      aria-label={label}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.isComposing) return;
        event.stopPropagation();
        onEscape();
      }}
    >
      <p dir="auto">{text}</p>
      {children}
    </div>
  );
}

/**
 * Replies to a call of the last step, and moves the focus to the composer. With a button, the focus goes to the answer
 * around it. In the composer, a typed key would answer VS Code's next question.
 */
export function useReply(turn: AnswerTurn, call: number): (reply: CallReply, pressed?: Element) => void {
  const { model, focusComposer } = usePage();
  return (reply, pressed) => {
    model.post({ type: "reply-call", turnId: turn.id, call, reply });
    const answer = pressed?.closest("article");
    if (answer) answer.focus({ preventScroll: true });
    else focusComposer();
  };
}
