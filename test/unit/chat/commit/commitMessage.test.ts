import assert from "node:assert/strict";
import {
  isTooLong,
  maxCommitMessageLength,
  readCommitMessage,
} from "../../../../src/chat/commit/commitMessage.ts";

const subject = "fix: read the gauge twice";
const body = `${subject}\n\nThe first reading is off after a frost.`;
const fence = "```";

/** Answers with text that models add around the message, each with the expected message. */
const wrapped: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  reasoning: [
    [`<think>\nWhat changed?\n</think>\n\n${subject}`, subject],
    [`<think></think>${subject}`, subject],
    [`<thinking>Two files.</thinking>\n${body}`, body],
    [`<thought>a\n\nb</thought>\n\n${subject}\n`, subject],
    [`<Thinking>a</Thinking>\n<think>b</think>\n${subject}`, subject],
    [`<think>\nIt never ends: ${subject}`, ""],
    [`The user wants a message.\nIt is short.\n</think>\n\n${subject}`, subject],
    [`</think>\n\n${subject}`, subject],
    [`[THINK]a plan[/THINK]${subject}`, subject],
    [`Thinking...\na plan\n...done thinking.\n\n${subject}`, subject],
    [`◁think▷a plan◁/think▷${subject}`, subject],
    [`<|begin_of_thought|>a<|end_of_thought|>\n<|begin_of_solution|>${subject}<|end_of_solution|>`, subject],
    [
      `<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>${subject}`,
      subject,
    ],
    [`<details><summary>Reasoning</summary>a</details>\n\n${subject}`, subject],
    [`<reasoning>a</reasoning>\n<answer>\n${body}\n</answer>`, body],
    [`Sure!\n<think>a</think>\n${subject}`, subject],
    [`<think>a</think>\nHere is the commit message:\n\n${fence}\n${body}\n${fence}`, body],
  ],
  remark: [
    [`Here is the commit message:\n\n${subject}`, subject],
    [`Here's a concise commit message for the staged changes:\n${body}`, body],
    [`Sure! Here is a commit message for your changes:\n\n${body}`, body],
    [`Sure!\n\nHere is it:\n\n${subject}`, subject],
    [`Certainly. Below is the commit message.\n\n${subject}`, subject],
    [`Okay, I looked at the diff.\n\nBased on the changes, I suggest this:\n\n${subject}`, subject],
    [`I've analyzed the changes. The message could be:\n\n${subject}`, subject],
    [`Based on the provided diff, here is a suitable commit message:\n\n${subject}`, subject],
    [`Here is the commit message: ${subject}`, subject],
    [`**Here is the commit message:**\n\n${subject}`, subject],
    [`Hier ist die Commit-Nachricht:\n\n${subject}`, subject],
    [`Natürlich! Hier ist ein Vorschlag:\n\n${subject}`, subject],
    [`Voici le message de commit :\n\n${subject}`, subject],
    [`Bien sûr, voici le message :\n${subject}`, subject],
    [`Aquí tienes el mensaje de commit:\n\n${subject}`, subject],
    [`Claro, aquí está:\n\n${subject}`, subject],
    [`Aqui está a mensagem de commit:\n\n${subject}`, subject],
    [`Ecco il messaggio di commit:\n\n${subject}`, subject],
    [`Oto wiadomość commita:\n\n${subject}`, subject],
    [`Вот сообщение коммита:\n\n${subject}`, subject],
    [`İşte commit mesajı:\n\n${subject}`, subject],
    [`以下是提交信息：\n\n${subject}`, subject],
    [`好的，这是根据更改生成的提交消息：\n${subject}`, subject],
    [`以下はコミットメッセージです：\n\n${subject}`, subject],
    [`다음은 커밋 메시지입니다:\n\n${subject}`, subject],
    [`The commit message for these changes would be:\n\n${subject}`, subject],
    [`Questo è il messaggio di commit:\n\nCorreggi la lettura`, "Correggi la lettura"],
    [`変更内容に基づいたコミットメッセージです：\n\n${subject}`, subject],
    [`Great! ${subject}`, subject],
    [`커밋 메시지는 다음과 같습니다:\n\n${subject}`, subject],
    [`Here is the commit message: **${subject}**`, subject],
    [`The gauge was read once. It is read twice now.\n\n**Commit message:**\n${subject}`, subject],
    [`Run this:\n\n${fence}bash\ngit commit -m "${subject}"\n${fence}`, subject],
    [`---\n${body}\n---`, body],
    [`Dyma'r neges:\n\n${fence}\n${body}\n${fence}`, body],
    ["Here is the commit message:", ""],
  ],
  fence: [
    [`${fence}\n${body}\n${fence}`, body],
    [`${fence}text\n${body}\n${fence}\n`, body],
    [`~~~\n${body}\n~~~`, body],
    [`${fence}git-commit\n${subject}\n${fence}\n\nThis message follows Conventional Commits.`, subject],
    [`Here is it:\n${fence}\n${body}\n${fence}\nLet me know if it should change!`, body],
    [
      `${fence}\n${subject}\n\n${fence}ts\nread();\n${fence}\n${fence}`,
      `${subject}\n\n${fence}ts\nread();\n${fence}`,
    ],
    [`${fence}${subject}${fence}`, subject],
    [`${fence}\n${subject}`, subject],
    [`${fence}\r\n${body.replaceAll("\n", "\r\n")}\r\n${fence}\r\n`, body],
    [`${fence}\n<think>a</think>\nCommit message: "${subject}"\n${fence}`, subject],
  ],
  marks: [
    [`"${subject}"`, subject],
    [`'${subject}'`, subject],
    [`“${subject}”`, subject],
    [`„${subject}“`, subject],
    [`«${subject}»`, subject],
    [`「${subject}」`, subject],
    [`\`${subject}\``, subject],
    [`**${subject}**`, subject],
    [`***${subject}***`, subject],
    [`__${subject}__`, subject],
    [`*${subject}*`, subject],
    [`## ${subject}`, subject],
    [`_${subject}_`, subject],
    [`> ${subject}\n>\n> The first reading is off after a frost.`, body],
    [`&quot;${subject}&quot;`, subject],
    [`**${subject}**\n\nThe first reading is off after a frost.`, body],
    [`"${subject}"\n\nThe first reading is off after a frost.`, body],
    [`"${body}"`, body],
    [`"""\n${body}\n"""`, body],
    [`"${subject}\\n\\nThe first reading is off after a frost."`, body],
    ['"fix: say "cold" twice"', 'fix: say "cold" twice'],
    ['"fix: say \\"cold\\" twice"', 'fix: say "cold" twice'],
    ["'fix: don't read at night'", "fix: don't read at night"],
    [`**"${subject}"**`, subject],
  ],
  label: [
    [`Commit message: ${subject}`, subject],
    [`Commit Message:\n\n${body}`, body],
    [`**Commit message:** ${subject}`, subject],
    [`**Commit Message**\n\n${subject}`, subject],
    [`### Commit message\n${subject}`, subject],
    [`Suggested commit message:\n${subject}`, subject],
    [`Commit-Nachricht: ${subject}`, subject],
    [`提交信息：${subject}`, subject],
    [`コミットメッセージ: ${subject}`, subject],
    [`Commit: ${subject}`, subject],
    [`Title: ${subject}`, subject],
    [`**Title:** ${subject}`, subject],
    [`Title: **${subject}**`, subject],
    [`**Subject**: \`${subject}\``, subject],
    [`Subject: ${subject}\n\nBody: The first reading is off after a frost.`, body],
    [`**Subject:** ${subject}\n\n**Body:**\nThe first reading is off after a frost.`, body],
    [`subject: ${subject}\nbody: The first reading is off after a frost.`, body],
    [`Titel: ${subject}\n\nBeschreibung: The first reading is off after a frost.`, body],
    [`Summary: ${subject}\n\nDescription:\nThe first reading is off after a frost.`, body],
  ],
  explanation: [
    [`${body}\n\nNote: I kept the subject under 50 characters.`, body],
    [`${body}\n\n(25 characters)`, body],
    [`${body}\n\n---\nThis message summarizes the changes.`, body],
    [`${body}\n\nThis commit message follows the Conventional Commits format.`, body],
    [`${body}\n\n---\n\nThis message uses the imperative mood and stays below 72 characters.`, body],
    [`${subject}\n\nLet me know if you'd like any changes!`, subject],
    [`${subject}\n\n*Note: This commit message describes the change briefly.*`, subject],
    [`${subject}\n\n此提交信息遵循约定式提交规范。`, subject],
  ],
  command: [
    [`git commit -m "${subject}"`, subject],
    [`git commit -m '${subject}'`, subject],
    [`$ git commit -am "${subject}" -m "The first reading is off after a frost."`, body],
    [`${fence}bash\ngit add . && git commit -m "${subject}"\n${fence}`, subject],
    [`git add .\ngit commit --message="${subject}"`, subject],
    [`git commit -m "$(cat <<'EOF'\n${body}\nEOF\n)"`, body],
    ['git commit -m "fix: say \\"cold\\" twice"', 'fix: say "cold" twice'],
  ],
  entities: [
    ["fix: take a &lt; b for cold &amp; don&#39;t warn", "fix: take a < b for cold & don't warn"],
    [
      "fix: a -> b &amp; c\n\nCo-authored-by: S &lt;s@host.example&gt;",
      "fix: a -> b & c\n\nCo-authored-by: S <s@host.example>",
    ],
    ["fix: say &quot;cold&quot;", 'fix: say "cold"'],
  ],
  "other labels": [
    [`commit_message: ${subject}`, subject],
    [`commit message -> ${subject}`, subject],
    [`Commit message — ${subject}`, subject],
    [`[Commit message]\n${body}`, body],
    [`\u{1f4dd} Commit message:\n${body}`, body],
    [`A suitable commit message: ${body}`, body],
    [`The commit message could be: "${subject}"`, subject],
    [`Summary: ${subject}`, subject],
    [`"${subject}".`, subject],
    [`\`${subject}\`.`, subject],
  ],
  "remarks around a subject": [
    ["Of course! Read the gauge twice\n\n- after a frost", "Read the gauge twice\n\n- after a frost"],
    [`Looking at the diff, I can see one change.\n\n${body}`, body],
  ],
  tokens: [
    [`<pre>${body}</pre>`, body],
    [`{"title": "${subject}", "body": "The first reading is off after a frost."}`, body],
    [`{ "message": "${subject}" }`, subject],
    [`${subject}<|im_end|>`, subject],
    [`<commit_message>\n${body}\n</commit_message>`, body],
    [`${subject}</s>`, subject],
  ],
};

/** Messages whose own text looks like something that models add around a message. */
const own: readonly string[] = [
  "`gauge` and\n\n`b`",
  "`gauge` is read twice",
  '"cold" is now "frost"',
  'Rename "cold" to "frost"',
  "fix: strip <think> tags from answers",
  "fix: strip </think> from answers\n\nThey were shown.",
  `docs: show how it is run\n\nRun:\n\n${fence}sh\nnpm start\n${fence}`,
  `docs: show usage:\n${fence}\nnpm start\n${fence}\n\nMore words.`,
  "Fix the following:\n\n- the gauge\n- the frost",
  "title: make it shorter",
  "message: keep its date",
  "body: limit its size",
  "commit: sign by default",
  "readings: add the station",
  "fix: **never** read twice",
  "**Breaking**: read twice",
  "fix(commit): take the label off the message:\n\n- a label\n- a fence",
  "Escape & as &amp; in titles",
  "Decode HTML entities such as &lt;",
  "Use `&lt;` in the page",
  "Here documents keep their indentation",
  "OK button: give it the focus",
  "Sure, the gauge froze",
  "I18n: say it in German",
  "Say which message is meant\n\nThe message describes what the gauge shows.",
  "Add a note\n\nNote: readings of before are kept.",
  "fix: a list\n\n* one\n* two",
  "* one\n* two",
  "__init__: load the gauge late",
  "'tis the season",
  "git commit hooks: run them once",
  "#12 read the gauge twice",
  "[gauge] read it twice",
  "Let the gauge rest",
  "Claro theme: use other colors",
  "修复：读取两次",
  "fix: a\n\nSigned-off-by: Someone <someone@host.example>",
  "fix: a\n\nBREAKING CHANGE: the gauge has another name",
  "fix: a\n\n---\nreadings: two",
  "Merge 'one' and 'two'",
  "基于消息队列重构订单处理\n\n原来的太慢。",
  "根据提交信息生成日志\n\n每天一次。",
  "Generated messages are cached.\n\nThey were made anew each time.",
  "Based on the message type: route it",
  "Improve error messages:\n\n- shorter\n- clearer",
  "Fix what is said of commits:\n\n- one\n- two",
  "Fix the message of a commit:\n\n- one: a\n- two: b",
  "Recommended settings:\n\n- one\n- two",
  "Header: keep it at the top",
  "<output> elements are read",
  "<details> elements keep their state",
  `fix: a\n\n<details>\n<summary>More</summary>\n</details>\n\nThe last.`,
  `docs: show the format\n\n${fence}\n<think>\na\n</think>\n${fence}`,
  "Here strings are read\n\nThey were skipped.",
  "Great circle distance replaces the flat one",
  "Summary page: show the gauge",
  "Say it plainly\n\nThis is read twice.",
  "Look at the diff once",
  "Okapi: read its notes",
  "feat!: drop *old* and *new*",
];

describe("readCommitMessage", () => {
  for (const [kind, cases] of Object.entries(wrapped)) {
    it(`removes what models add around a message: ${kind}`, () => {
      const missed = cases
        .map(([answer, expected]) => ({ answer, expected, found: readCommitMessage(answer) }))
        .filter(({ expected, found }) => found !== expected);
      assert.deepEqual(missed, []);
    });
  }

  it("keeps text that belongs to the message", () => {
    const missed = own.map((message) => [message, readCommitMessage(message)]).filter(([a, b]) => a !== b);
    assert.deepEqual(missed, []);
  });

  it("hides reasoning, remarks, fences, labels, and commands while they arrive", () => {
    for (const [kind, cases] of Object.entries(wrapped)) {
      for (const [answer, expected] of cases) {
        // Until more text arrives, the beginnings of these answers look like part of the message.
        if (
          kind === "explanation" ||
          /^(?:The user wants|Dyma|The gauge|Run|---|変更|subject:|Summary:|<pre>)/.test(answer)
        )
          continue;
        for (let length = 0; length <= answer.length; length += 1) {
          const shown = readCommitMessage(answer.slice(0, length), false);
          assert.ok(expected.startsWith(shown), JSON.stringify([answer.slice(0, length), shown]));
        }
      }
    }
  });

  it("returns a growing prefix while a plain message arrives", () => {
    let last = "";
    for (let length = 0; length <= body.length; length += 1) {
      const shown = readCommitMessage(body.slice(0, length), false);
      assert.ok(shown.startsWith(last), shown);
      last = shown;
    }
    assert.equal(last, body);
  });

  it("does not count reasoning toward the length of a message", () => {
    const long = "so ".repeat(maxCommitMessageLength);
    assert.ok(!isTooLong(`<think>${long}`));
    assert.ok(!isTooLong(`<think>${long}</think>\n${subject}`));
    assert.equal(readCommitMessage(`<think>${long}</think>\n${subject}`), subject);
    assert.ok(isTooLong(long));
    assert.ok(isTooLong(`<think>${long}</think>\n${long}`));
  });

  it("reads hostile answers within 2 seconds", () => {
    const started = performance.now();
    for (const piece of [
      "<think>",
      "**",
      "`",
      '"',
      "Commit ",
      "#",
      "\n",
      "git commit ",
      "&#39",
      "Title:",
      " \n\n-",
      "the ",
    ])
      readCommitMessage(piece.repeat(100_000 / piece.length));
    assert.ok(performance.now() - started < 2000, `${performance.now() - started} ms`);
  });
});
