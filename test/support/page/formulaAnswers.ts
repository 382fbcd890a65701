/** Answers with formulas, by question. */
export const formulaAnswers: Readonly<Record<string, string>> = {
  formulas: String.raw`## The energy $E = mc^2$ of a heading

The roots of $ax^2 + bx + c$ are \(x_{1,2} = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a}\), where $a \neq 0$. It costs $5 to $10, and $HOME is not $PATH.

$$
\begin{aligned}
\nabla \cdot \mathbf{E} &= \frac{\rho}{\varepsilon_0} \\
\oint_C \mathbf{B} \cdot d\boldsymbol{\ell}
- \mu_0 I &= 0
\end{aligned}
$$

- In a list: $\mathbb{R}^n \to \mathcal{L}(V)$, $\vec{v}$, $\hat{x}$, $f'(x)$
- A matrix:
  \[
  A = \begin{pmatrix} a & -b \\ 10 & c \end{pmatrix}
  + \begin{cases} 1 & \text{if } x > 0 \\ 0 & \text{otherwise} \end{cases}
  \]

| name | formula |
| --- | --- |
| sum | $\sum_{i=1}^{n} i = \frac{n(n+1)}{2}$ |
| norm | \(\lVert x \rVert\) |

> A quote: $$\int_0^\infty e^{-x^2}\,dx = \frac{\sqrt{\pi}}{2}$$

$$x_1 + x_2 + x_3 + x_4 + x_5 + x_6 + x_7 + x_8 + x_9 + x_{10} + x_{11} + x_{12} + x_{13} + x_{14} + x_{15} + x_{16} + x_{17} + x_{18} = \overline{AB} + \boxed{y} + \cancel{z}$$

A bad one: $\frac{1}{$ and \(\unknown{x}\). Code: ${"`$x$`"}

${"```sh"}
echo $HOME $x^2$
${"```"}

`,
  diagram: '```mermaid\ngraph TD; A["$$x^2$$"] --> B\n```\n',
  environments: String.raw`$$
\begin{align}
a &= b + \underbrace{c + d}_{n} \label{eq:one} \\
\underline{x} &= \widehat{ABC} + \overline{AB} + \boxed{y} + \cancel{z} + \sout{w} \tag{2}
\end{align}
$$

\[ \begin{equation} E = mc^2 \label{eq:two} \end{equation} \]

$$ f(x) = \left\{ \begin{array}{|c|r|} \hline 1 & 20 \\ \hline 100 & 2 \\ \hline \end{array} \right. \tag{*} $$

\[ \color{red} x \textcolor{blue}{y} \quad \lim_{x \to 0} \frac{\sin x}{x} \xrightarrow{f} \mathscr{F}, \mathfrak{g}, \bigl( \tfrac12 \bigr) \]
`,
  large: String.raw`\(\rule{999cm}{999cm}\) \(\rule{999in}{999mm}\) \(a\kern-999em b\) \(\raisebox{-500em}{c}\) \(\raisebox{500em}{d}\)

\(\rule{2cm}{3mm}\) \(a\kern-1em b\) \(\raisebox{-2em}{c}\) \(\rule{20em}{1pt}\)
`,
  raw: '<math><mi>a</mi></math> <span data-formula="inline">b</span>\n\n<div data-formula="display" data-source="c" class="formula">d</div>\n\nend\n',
  stream: "First \\(a_1 + b\\) here\n\n$$\nc\n- d\n$$\n\nand $e$ there, and more text that follows.\n",
  copied: "Let $x^2$ be\n\n$$\n\\frac{a}{b}\n$$\n\nthen \\(y\\).\n",
  many: Array.from(
    { length: 50 },
    (_, at) => String.raw`Text \(\frac{a_{${at}}}{b}\), $\sum_{i=1}^{${at}} x_i^2$ and $y_{${at}}$:

$$
\begin{aligned} \int_0^{${at}} e^{-x^2}\,dx &= \sqrt{\pi} \\ \begin{pmatrix} a & b \\ c & d \end{pmatrix} &= z \end{aligned}
$$
`,
  ).join("\n"),
};
