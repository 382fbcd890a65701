import { inPage } from "../workbench/inPage.ts";

/** The effects of hostile answers on the transcript that shows them. */
export interface HostileFacts {
  readonly ran: boolean;
  /** Elements that can run, load or hide something, and links whose tooltip is not their target. */
  readonly forbidden: readonly string[];
  /** The targets that the page shows behind lying links. */
  readonly told: readonly string[];
  /** Files that a link opens. */
  readonly files: readonly string[];
}

export const readHostileFacts = inPage<HostileFacts>(`(log) => {
  // The page's own; no answer may bring this attribute.
  const ownButton = ".code-block .code-buttons > button[data-code-action]";
  // Formulas are the page's own, too. They may move and size letters, but not leave their box.
  const inFormula = /^(?!position: (fixed|sticky)|.*url\\()[\\w\\s.,:;#%()-]*$/;
  const isFormulaPart = (element) => element.closest(".formula > math") !== null &&
    element.namespaceURI.endsWith("/MathML") &&
    /^(math|menclose|mfrac|mi|mmultiscripts|mn|mo|mover|mpadded|mphantom|mprescripts|mroot|mrow|mspace|msqrt|mstyle|msub|msubsup|msup|mtable|mtd|mtext|mtr|munder|munderover|none)$/.test(element.localName) &&
    [...element.attributes].every(({ name, value }) => !/^(on|href|src|id|name|action)/.test(name) && inFormula.test(value.replace("http://www.w3.org/1998/Math/MathML", "")));
  const forbidden = [...log.querySelectorAll(".markdown *")].flatMap((element) => {
    const attributes = [...element.attributes].filter(({ name, value }) =>
      /^(on|style$|src|srcset$|action|formaction|id$|name$|background|poster|ping|popover)/.test(name) ||
      /^\\s*(javascript|command|vscode|data|file|blob)[\\w-]*:/i.test(value) && name !== "title" && name !== "data-file");
    const allowed = /^(a|abbr|b|bdi|blockquote|br|caption|cite|code|dd|del|details|div|dl|dt|em|h[1-6]|hr|i|input|ins|kbd|li|mark|ol|p|pre|q|s|samp|small|span|strong|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|u|ul|var)$/;
    if (isFormulaPart(element)) return [];
    const isOwn = element.closest(ownButton) !== null && /^(button|svg|path)$/.test(element.localName);
    return (isOwn || allowed.test(element.localName)) && attributes.length === 0 ? [] : [element.outerHTML.slice(0, 200)];
  });
  const lost = [...log.querySelectorAll(".markdown a[href]:not([data-file])")].filter(({ href, title }) => href !== title);
  return {
    ran: window.hostile === 1,
    forbidden: [...forbidden, ...lost.map(({ outerHTML }) => outerHTML.slice(0, 200))],
    told: [...log.querySelectorAll(".markdown .link-target")].map(({ textContent }) => textContent),
    files: [...log.querySelectorAll(".markdown a[data-file]")].map(({ dataset }) => dataset.file),
  };
}`);
