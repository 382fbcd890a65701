/** A host that must never receive a request. */
export const hostileHost = "hostile.example";
const run = "window.hostile=1;alert(1)";
const url = `https://${hostileHost}/x`;

/** UTF-16 units. Tests show shorter answers together in one chat. */
export const shortAnswer = 1000;

/** Markdown that tries to run code, send requests or block the page, by the kind of attack. */
export const hostileAnswers: Readonly<Record<string, string>> = {
  script: `<script>${run}</script>\n\n<script src="${url}.js"></script>\n\n<SCRIPT\n>${run}</SCRIPT>text`,
  "event handlers": `<img src=x onerror="${run}">\n\n<div onclick="${run}" onmouseover="${run}" autofocus tabindex=0 onfocus="${run}">text</div>\n\n<details open ontoggle="${run}"><summary>s</summary></details>\n\n<a href="#" onclick="${run}">a</a>`,
  "javascript links": `[a](javascript:${run}) [b](JaVaScRiPt&colon;${run}) [c](&#106;avascript:${run}) <javascript:${run}>\n\n<a href="java\tscript:${run}">d</a> <a href="\u0001javascript:${run}">e</a>\n\n[f]: javascript:${run}\n[f]`,
  "command links": `[a](command:workbench.action.quit) [b](vscode://${hostileHost}/x) [c](vscode-insiders:x) [d](file:///etc/passwd) <a href="command:workbench.action.reloadWindow">e</a> [f](vscode-file://x) [g](data:text/html,<script>${run}</script>) [h](blob:x)`,
  svg: `<svg onload="${run}"><script>${run}</script><image href="${url}.png"/><foreignObject><iframe src="${url}"></iframe></foreignObject><animate onbegin="${run}" attributeName=x dur=1s></svg>`,
  mathml: `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=${run}&gt;"></table></mtext></math>`,
  "formulas that load or run": String.raw`$\href{javascript:${run}}{a}$ \(\url{${url}}\) $$\includegraphics{${url}.png}$$ \(\htmlClass{composer}{b}\) \(\htmlId{root}{c}\) \(\htmlStyle{position:fixed;inset:0}{d}\) \(\htmlData{file=x}{e}\) \(\class{composer}{f}\) \(\style{position:fixed}{f}\) \(\color{red;position:fixed}g\) \(\colorbox{url(${url})}{h}\) \(\text{<img src=x onerror=${run}>}\) \(\label{root}\ref{root}\) \(\toggle{a}{b}\endtoggle\) \(\texttip{a}{b}\) \(\cssId{root}{i}\)`,
  "formulas that name themselves": `<span data-formula="display">$x$</span> <span data-source="$y$" class="formula">z</span><div data-formula>$$x$$</div> <math><mi>x</mi></math>`,
  "formulas that grow": String.raw`$\def\a{\a\a}\a$ $\gdef\b{${"x".repeat(500)}}\b\b\b$ $\newcommand{\c}{\c\c}\c$ $\let\d\sqrt\d x$ $\edef\e{\e\e}\e$ \(${"\\sqrt".repeat(600)}x\) \(${"{".repeat(1500)}x${"}".repeat(1500)}\) \(${"x^{".repeat(900)}y${"}".repeat(900)}\) \(${"\\frac1".repeat(500)}2\) \(${"\\left(".repeat(400)}x${"\\right)".repeat(400)}\) \(\rule{9999em}{9999em}\kern-9999em\Huge\Huge x\) \(${"\\begin{matrix}".repeat(200)}x\) \(${"\\bmod{".repeat(300)}x\) \(${"\\hat".repeat(800)}x\)`,
  "formulas with many cells": String.raw`\(\begin{matrix}${"&".repeat(1300)}${"\\\\".repeat(1300)}\end{matrix}\) \(\begin{alignat}{99999999}a\end{alignat}\) \(\begin{al%
ignat}{99999999}a\end{alignat}\) \(\begin{\char"61lignat}{99999999}a\end{alignat}\) \(\begin{matrix}${String.raw`&\begin{matrix}\\\end{matrix}`.repeat(60)}${"\\\\".repeat(900)}\end{matrix}\) \(\begin{matrix}${"{\\egroup&".repeat(190)}${"\\\\".repeat(900)}\end{matrix}\)`,
  "formulas that hide the page": String.raw`$$\kern-20em\rule{20em}{20em}\kern-20em\raisebox{20em}{\rule{20em}{20em}}\smash{\rule{20em}{20em}}\llap{\rule{20em}{20em}}$$`,
  "many formulas":
    "$x$ ".repeat(5000) +
    "\n\n" +
    "$$\n- a\n\n".repeat(300) +
    "\\[ a\n".repeat(5000) +
    "$a_{1}$\n\n".repeat(500),
  styles: `<style>@import url(${url}.css);*{display:none!important;background:url(${url}.png)}</style>\n\n<p style="position:fixed;inset:0;background:url(${url}.png)">text</p>\n\n<link rel=stylesheet href="${url}.css">`,
  "remote images": `![a](${url}.png) ![b][r] <img src="${url}.png" srcset="${url}.png 2x">\n\n<picture><source srcset="${url}.png"><img src="${url}.png"></picture> <video src="${url}" poster="${url}" autoplay></video> <audio src="${url}" autoplay></audio> <input type=image src="${url}.png">\n\n[r]: ${url}.png`,
  "data addresses": `![a](data:image/svg+xml,<svg onload=${run}>) <iframe src="data:text/html,<script>${run}</script>"></iframe> <object data="data:text/html,<script>${run}</script>"></object> <embed src="${url}">`,
  "frames and forms": `<iframe src="${url}" srcdoc="<script>${run}</script>"></iframe><form action="${url}"><input name=a autofocus><button formaction="javascript:${run}">Send</button></form><base href="${url}"><meta http-equiv="refresh" content="0;url=${url}"><dialog open>d</dialog>`,
  "broken out of": `<p id="root" class="composer" role="alert" data-cause="x" contenteditable>text</p></div></div></main><textarea>x</textarea><noscript><p title="</noscript><img src=x onerror=${run}>"></noscript><template><script>${run}</script></template>`,
  "clobbered names": `<form name=body><input name=firstChild><img name=getElementById><a id=acquireVsCodeApi>a</a></form><a id=window name=hostile>b</a>`,
  "nested fences": `${"`````md\n````md\n```js\nlet a;\n```\n````\n`````\n".repeat(200)}\n\`\`\`\n\`\`\`\`\n~~~\n<script>${run}</script>\n`,
  "fence names": `\`\`\`"><script>${run}</script>\nlet a;\n\`\`\`\n\n\`\`\`__proto__\nlet a;\n\`\`\`\n\n\`\`\`constructor title="../../../etc/passwd.txt"\nlet a;\n\`\`\``,
  "1 MB on one line": "x".repeat(1_000_000),
  "1 MB of words on one line": "word ".repeat(200_000),
  "1 MB of code on one line": `\`\`\`js\n${"let a=1;".repeat(125_000)}\n\`\`\``,
  "1 MB of code": `\`\`\`ts\n${'const name: string = "text"; // comment\n'.repeat(25_000)}\`\`\``,
  "a list 10,000 deep": `${"- ".repeat(10_000)}a`,
  "a list 700 deep by indentation": Array.from(
    { length: 700 },
    (_, depth) => `${"  ".repeat(depth)}- a`,
  ).join("\n"),
  "a quote 10,000 deep": `${">".repeat(10_000)}a\n\n${"> ".repeat(10_000)}b`,
  "emphasis 10,000 deep": `${"*a ".repeat(5000)}${"b* ".repeat(5000)}\n\n${"**_a".repeat(3000)}\n\n${"_a__b".repeat(3000)}`,
  "brackets and ticks": `${"[".repeat(8000)}\n\n${"![".repeat(5000)}\n\n${"[a](".repeat(4000)}\n\n${"`".repeat(7999)} ${"`a".repeat(4000)}\n\n${"<a ".repeat(5000)}\n\n${"&".repeat(9000)}`,
  "runs of ticks of every length": Array.from({ length: 600 }, (_, at) => `${"`".repeat(at)}a`).join(" "),
  "comments that do not end": `a ${"<!-- ".repeat(3000)}\n\n${"<!-- ".repeat(10_000)}\n\n${"a <![CDATA[ <? ".repeat(1000)}`,
  "emphasis that does not end": `${"**a *b ".repeat(10_000)}\n\n${"*a_ ".repeat(10_000)}\n\n${"~~a".repeat(330)}\n\n${"**a *b ".repeat(300)}`,
  "images and tags that do not end": `${"![[]()".repeat(10_000)}\n\n${"<".repeat(50_000)}\n\n${"![[]()".repeat(480)}`,
  "mail addresses that do not end": `${"a.".repeat(8000)}@\n\n${"a".repeat(8000)}@\n\n${"a@b".repeat(5000)}\n\n${"www.".repeat(4000)}`,
  "definitions that do not end": `${Array.from({ length: 5000 }, (_, at) => `[a${at}]:\n${url}${at}`).join("\n")}\n\n[a]: x '${"b\n".repeat(7000)}`,
  "code deep in lists": `${Array.from({ length: 20 }, (_, depth) => `${"  ".repeat(depth)}- a`).join("\n")}\n${" ".repeat(40)}\`\`\`ts\n${`${" ".repeat(40)}const a = 1;\n`.repeat(4000)}`,
  "a list's item without end": `- a\n\n${"  text\n\n  - b\n    ```js\n    c\n    ```\n\n".repeat(3000)}`,
  "50,000 link definitions": `${Array.from({ length: 50_000 }, (_, at) => `[a${at}]: ${url}${at}`).join("\n")}\n\n[a1] [a49999]`,
  "20,000 link definitions apart": `[a3] and [a19999]\n\n${Array.from({ length: 20_000 }, (_, at) => `[a${at}]: ${url}${at}`).join("\n\n")}\n\n[a1] [a19999]`,
  "a huge table": `| a | b |\n|---|---|\n${"| 1 | 2 |\n".repeat(20_000)}`,
  "rows of a wide table": `|${"a|".repeat(5000)}\n|${"-|".repeat(5000)}\n${`|${"b|".repeat(5000)}\n`.repeat(20)}`,
  "a wide table": `|${" a |".repeat(3000)}\n|${"---|".repeat(3000)}\n|${" b |".repeat(3000)}\n`,
  "invisible characters": `\`\`\`js\n${"a\u200Bb\u202E\u2066".repeat(50_000)}\n\`\`\`\n\n\`${"\u200B\u200Ca".repeat(2000)}\``,
  "many names of files":
    "`src/a.ts:1` ".repeat(5000) + Array.from({ length: 5000 }, (_, at) => `\`b${at}.ts\``).join("\n\n"),
  "many code blocks": "```js\nlet a = 1;\n```\n\n".repeat(4000),
};
