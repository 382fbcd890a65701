/**
 * Detects marks for omitted code, such as `// ... existing code ...`. Models write them in every comment syntax and in
 * many languages, with or without dots.
 */

/** Maximum length of a mark. Longer comments also say other things. */
const maxMarkLength = 160;
const maxWords = 12;

/** The start and end of each comment syntax. A longer start precedes any start that it begins with. */
const pairs: readonly (readonly [string, string])[] = [
  ["{/*", "*/}"],
  ["/*", "*/"],
  ["<!--", "-->"],
  ["(*", "*)"],
  ["{-", "-}"],
  ["--[[", "]]"],
  ["--[=[", "]=]"],
  ["#|", "|#"],
  ["#=", "=#"],
  ["<#", "#>"],
  ["{{!--", "--}}"],
  ["{{!", "}}"],
  ["{#", "#}"],
  ["@*", "*@"],
  ["<%--", "--%>"],
  ["<%#", "%>"],
  ['"""', '"""'],
  ["'''", "'''"],
];
const linePrefix = /^(?:\/{2,}!?|(?:#+|-{2,}|;+|%+|!+|::|\*|"|\\)(?=[\s.…[(])|(?:rem|dnl)\b|'(?=\s|[^']*$))/i;
/** Matches a comment after code. */
const trailingComment = /\s(?:\/\/|#|--|;|%)\s*(\S.*)$/;
const inlineComment = /\{?\/\*(.*?)\*\/\}?|<!--(.*?)-->|\(\*(.*?)\*\)/;
const opens = /[{([:,]$|\b(?:do|then)$/;
const elidedBody = /\{\s*(?:\.{3}|…)\s*\}/;

const stubBody = /^(\s*(?:async\s+)?(?:def|class)\b.*:)\s*(?:\.{3}|…)\s*$/u;

const dots = String.raw`(?:\.{3,}|…|\. \. \.|⋯|⋮)`;
const dotsOnly = new RegExp(`^[\\s,;]*${dots}(?:${dots}|[\\s,;])*$`, "u");
const dotsAhead = new RegExp(`^${dots}\\s*`, "u");
const dotsApart = new RegExp(`^${dots}[\\s([<{]`, "u");
const dotsBehind = new RegExp(`\\s*${dots}$`, "u");

const wordsIn = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));
/** Words that alone say that code is omitted. */
const strongWords =
  wordsIn(`rest remaining remainder existing unchanged omitted truncated elided snipped snip unmodified untouched
   abbreviated unaltered`);
const weakWords = wordsIn(
  `other others previous prior original current same keep preserved retained skipped`,
);
const things =
  wordsIn(`code codes file files function functions method methods class classes style styles import imports export exports
   test tests content contents implementation implementations logic component components line lines rule rules config
   configuration configurations route routes prop props property properties field fields member members handler handlers
   hook hooks body section sections part parts definition definitions variable variables setup markup html css jsx
   template script scripts setting settings option options item items entry entries case cases type types interface
   interfaces declaration declarations constant constants statement statements dependency dependencies parameter
   parameters params argument arguments args attribute attributes element elements column columns table tables endpoint
   endpoints state stuff things everything data value values key keys module package program page document schema query
   queries task tasks step steps job jobs service services model models view views controller controllers helper helpers
   utilities utils constructor loop block comment comments snippet source selector selectors fixture fixtures
   migrations migration`);
const smallWords =
  wordsIn(`the your my our all any of this that these those in as is are was were be been for and or from here there to it its
   with on at no not change changes changed needed necessary brevity clarity simplicity space go goes stay stays remain
   remains keep kept leave left exactly identical required modified shown follow follows etc n such still more will have
   has without modification modifications alteration place above below before after earlier also including everything
   else continue continues you`);

const rest = String.raw`^(?:the\s+|your\s+|my\s+)?(?:rest|remainder)\s+(?:of|remains?|stays?|is|unchanged|as)\b`;
const goesHere = String.raw`^(?:the\s+|your\s+|all\s+)?(?:rest|existing|previous|other|original|remaining)\b.*\bhere$`;
const sameAsBefore = String.raw`\b(?:unchanged|omitted|elided|truncated|snipped|untouched|unmodified|not shown|as[- ]is|(?:stays?|remains?|kept|keep)\s+(?:exactly\s+)?(?:the\s+)?(?:same|identical|as\s+(?:before|is|they are|it is|it was))|(?:is|are)\s+(?:exactly\s+)?the\s+same\s+as\s+before|^(?:the\s+)?same\s+as\s+(?:before|above)|(?:do|does)\s+not\s+change|no\s+changes?)(?:\s+(?:here|from before|as before|for (?:brevity|clarity|simplicity)|below|above))?$`;
const englishPhrase = new RegExp(`${rest}|${goesHere}|${sameAsBefore}`, "iu");
/** First words of comments that ask for something or state a condition. Such comments describe the code below. */
const describesCode =
  /^(?:assert|check|ensure|expect|if|make|must|should|test|todo|fixme|verify|when|while|return|returns|note|nothing)\b/i;

const article = String.raw`^(?:(?:le|la|les|l['’]|der|die|das|den|el|los|las|o|os|as|a|il|lo|gli|i|de|het|todo|toda|todos|todas|tous|toutes|alle|tutti|tutte)\s*)?(?:le\s+|les\s+|os\s+|as\s+|los\s+|las\s+|gli\s+|le\s+)?`;
const translatedStrong = new RegExp(
  `${article}(?:rest(?:liche[rnsm]?)?\\b|übrige[rnsm]?\\b|bestehende[rnsm]?\\b|vorhandene[rnsm]?\\b|bisherige[rnsm]?\\b|reste\\b|(?:code|contenu|fonctions?|méthodes?|imports?|styles?)\\s+existant|resto\\b|restantes?\\b|código\\s+existente|codice\\s+esistente|(?:funciones|métodos|funções|estilos|importaciones|importações|metodi|funzioni|stili)\\s+(?:existentes|esistenti)|остальн|существующ|остаток|решта|існуюч|reszta\\b|pozostał|istniejąc|bestaande\\b|mevcut\\b|geri kalan|其余|剩余|现有|原有|已有|其餘|剩餘|現有|既存|残り|기존|나머지)`,
  "iu",
);
const translatedWeak = new RegExp(
  `${article}(?:weitere[rnsm]?\\b|andere[rnsm]?\\b|autres?\\b|demás\\b|otr[oa]s\\b|demais\\b|outr[oa]s\\b|altr[ie]\\b|прежн|прочие|другие|інш|inne\\b|overige\\b|diğer|kalan\\b|其他|其它|原来|之前的|その他|他の|元の|以前の|다른|이전|원래)`,
  "iu",
);
const translatedSame =
  /(?:unverändert(?:e[rnsm]?)?|bleib(?:t|en)\s+(?:gleich|so|bestehen|wie.*)|wie\s+(?:bisher|zuvor|vorher|gehabt)|gekürzt|ausgelassen|weggelassen|inchangée?s?|(?:reste|restent|est|sont)\s+identiques?|sans\s+changements?|sans\s+modifications?|ne\s+changent?\s+pas|omise?s?|tronquée?s?|sin\s+cambios|sin\s+modificar|no\s+cambian?|(?:sigue|siguen|queda|quedan)\s+igual(?:es)?|igual(?:es)?\s+que\s+antes|omitid[oa]s?|sem\s+alterações|sem\s+mudanças|inalterad[oa]s?|não\s+mudam?|permanecem?\s+(?:o\s+mesmo|igual|iguais|inalterad[oa]s?)|invariat[oaie]|riman(?:e|gono)\s+ugual[ie]|senza\s+modifiche|omess[oaie]|без\s+изменений|не\s+(?:меня(?:ется|ются)|измен[а-яё]+)|как\s+(?:раньше|было|прежде)|опущен[оыа]?|сокращен[оыа]?|без\s+змін|bez\s+zmian|ongewijzigd|değişmedi|aynı(?:\s+kal.*)?|保持不变|不变|未改动|未修改|没有变化|无变化|无需修改|省略|同上|維持不變|不變|保持原样|保持原樣|変更なし|変更無し|変更はありません|そのまま|同じ|以下同様|以下略|中略|後略|前略|변경\s*없음|그대로(?:\s*유지)?|동일(?:합니다)?|생략|유지(?:됩니다)?)[.。]?$/iu;

/** The kind of a line that holds only a mark. */
export type MarkKind =
  /** Dots only, which are code in some languages. */
  | "dots"
  | "mark"
  /** A few words that could also describe the code below. */
  | "weak-mark";

/** Returns the kind of the mark that fills the line, or undefined if the line is not a mark. */
export function readMark(line: string): MarkKind | undefined {
  const text = line.trim();
  if (text === "" || text.length > maxMarkLength) return undefined;
  if (dotsOnly.test(text)) return "dots";
  const comment = commentIn(text);
  if (comment !== undefined) {
    const kind = readWords(comment);
    // The comment could be a heading.
    return kind === "weak-mark" && text.startsWith("##") ? undefined : kind;
  }
  const bracketed = /^\[\s*(.*?)\s*\]$|^<\s*(.*?)\s*>$|^\(\s*(.*?)\s*\)$/.exec(text);
  const inner = bracketed?.slice(1).find((part) => part !== undefined);
  if (inner !== undefined) return hasDots(inner) && isMarked(inner) ? "mark" : undefined;
  // Words without comment syntax:
  return dotsAhead.test(text) && / /.test(text) && isMarked(text.replace(dotsAhead, "")) ? "mark" : undefined;
}

export interface MarkInLine {
  /** The code before and after the mark, without the spaces next to the mark. */
  readonly ahead: string;
  readonly behind: string;
  /** True for a comment after a complete statement. */
  readonly isNote: boolean;
  /** True for dots as the body of a Python `def` or `class`. Such dots may be valid code. */
  readonly isStub?: true;
}

/** Finds a mark with code on the same line, such as `open() { /* ... *\/ }`. */
export function findMarkInLine(line: string): MarkInLine | undefined {
  if (line.length > 1000) return undefined;
  const body = elidedBody.exec(line);
  if (body !== null) {
    return {
      ahead: line.slice(0, body.index + 1),
      behind: line.slice(body.index + body[0].length - 1),
      isNote: false,
    };
  }
  const stub = stubBody.exec(line)?.[1];
  if (stub !== undefined) return { ahead: stub, behind: "", isNote: false, isStub: true };
  const inline = inlineComment.exec(line);
  const inner = inline?.slice(1).find((part) => part !== undefined);
  if (inline !== null && inner !== undefined && isCertainMark(inner)) {
    const ahead = line.slice(0, inline.index).trimEnd();
    const behind = line.slice(inline.index + inline[0].length).trim();
    return { ahead, behind, isNote: behind === "" && !opens.test(ahead) };
  }
  const trailing = trailingComment.exec(line);
  if (trailing === null || !isCertainMark(trailing[1] ?? "")) return undefined;
  const ahead = line.slice(0, trailing.index).trimEnd();
  return { ahead, behind: "", isNote: !opens.test(ahead) };
}

function isCertainMark(comment: string): boolean {
  const kind = readWords(comment.trim());
  return kind === "dots" || kind === "mark";
}

/** Returns the text of a comment that fills the line, or undefined if the line is not a comment. */
function commentIn(text: string): string | undefined {
  for (const [start, end] of pairs) {
    if (text.length >= start.length + end.length && text.startsWith(start) && text.endsWith(end)) {
      return text.slice(start.length, -end.length).trim();
    }
  }
  const prefix = linePrefix.exec(text)?.[0];
  return prefix === undefined ? undefined : text.slice(prefix.length).trim();
}

function readWords(comment: string): MarkKind | undefined {
  const bare = comment.replace(/^[-=*_~#<>|\s]+(?=[^-=*_~#<>|\s])|(?<=[^-=*_~#<>|\s])[-=*_~#<>|\s]+$/g, "");
  if (bare === "" || bare.length > maxMarkLength) return undefined;
  if (dotsOnly.test(bare) || /^(?:<?snip>?|etc\.?)$/i.test(bare)) return "mark";
  const bracketed =
    /^(?:\[\s*(.*?)\s*\]|\(\s*(.*?)\s*\)|<\s*(.*?)\s*>|\{\s*(.*?)\s*\}|（\s*(.*?)\s*）|【\s*(.*?)\s*】)$/u.exec(
      bare,
    );
  const inner = bracketed?.slice(1).find((part) => part !== undefined) ?? bare;
  if (dotsOnly.test(inner)) return "mark";
  // Dots directly before a word, as in `...args`, may be code that the comment mentions.
  if (dotsApart.test(inner)) return "mark";
  const text = inner.replace(dotsAhead, "").replace(dotsBehind, "");
  if (isMarked(text)) return "mark";
  if (!isWeaklyMarked(text)) return undefined;
  return hasDots(bare) || bracketed !== null ? "mark" : "weak-mark";
}

function hasDots(text: string): boolean {
  return dotsAhead.test(text) || dotsBehind.test(text);
}

/** Whether the words clearly say that code is omitted. */
function isMarked(words: string): boolean {
  const text = trimmed(words);
  if (countWords(text) > maxWords || describesCode.test(text)) return false;
  if (englishPhrase.test(text) || translatedStrong.test(text) || translatedSame.test(text)) return true;
  const found = lowerWords(text);
  return found.some((word) => strongWords.has(word)) && found.every(isKnown);
}

function isWeaklyMarked(words: string): boolean {
  const text = trimmed(words);
  const count = countWords(text);
  if (count > 6 || describesCode.test(text)) return false;
  if (translatedWeak.test(text)) return count < 6;
  const found = lowerWords(text);
  const [first = ""] = found;
  if (count <= 4 && strongWords.has(first)) return true;
  return (
    found.some((word) => weakWords.has(word)) &&
    found.every(isKnown) &&
    (count > 1 || first === "same" || first === "previous")
  );
}

const isKnown = (word: string): boolean =>
  strongWords.has(word) || weakWords.has(word) || things.has(word) || smallWords.has(word);

function trimmed(text: string): string {
  return text
    .replace(/^[\s:,;.!–—-]+|[\s:,;.!–—-]+$/gu, "")
    .replaceAll(/[[\]()（）]/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** Returns the words of a text in lower case; empty if the text has letters other than a-z. */
function lowerWords(text: string): readonly string[] {
  const all = text.toLowerCase().match(/[\p{L}\p{N}_'’]+/gu) ?? [];
  return all.every((word) => /^[a-z0-9_'’]+$/.test(word)) ? all : [];
}

function countWords(text: string): number {
  return text === "" ? 0 : text.split(" ").length;
}
