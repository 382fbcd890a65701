/** `fix(area)!: ` and similar prefixes. No remark starts like this. */
export const conventional = /^[a-z]+(?:\([^)\n]*\))?!?: \S/;

/** Markdown marks and emojis around a remark or a label. */
const mark = "[*_#>`~ \\t\\p{Extended_Pictographic}\\ufe0f]{0,20}";
/** Maximum length of a remark or a label. */
const maxLineLength = 400;

/** Words for a message in the languages that models answer in. */
const messageWord =
  /commit|message|subject line|mensaje|mensagem|messaggio|nachricht|meldung|bericht|wiadomo|сообщени|повідомлен|коммит|коміт|提交|訊息|消息|信息|コミット|メッセージ|커밋|메시지|meddelande|melding|besked|viesti|zpráv|správ|mesaj|üzenet|μήνυμα|رسالة|הודע|संदेश|thông điệp|tin nhắn|pesan|ข้อความ/i;

/** Starts a remark to the user, regardless of the rest of the line. */
const chatty =
  /^(?:sure(?: thing)?|certainly|of course|absolutely|okay|ok|alright|all right|great|got it|no problem|understood|klar|natürlich|gern(?:e)?|sicher|selbstverständlich|bien sûr|d['’]accord|certainement|claro|por supuesto|certo|com certeza|certamente|natuurlijk|zeker|jasne|oczywiście|конечно|хорошо|звичайно|tabii(?: ki)?|elbette|självklart|selvfølgelig|tietysti|jistě|sigur|persze|βεβαίως|بالتأكيد|בטח|जी हाँ|dạ|tentu(?: saja)?|baik)(?=[\s]*[!,.:;、，。！…—-]|$)|^(?:好的|当然|當然|没问题|もちろん|承知|かしこまり|了解しました|はい[、。]|네[,. !]|물론)|^(?:let me|i['’](?:ve|ll|d|m)|i (?:have|will|would|can|see|think|need|analy[sz]ed|reviewed|looked|suggest|recommend)|happy to|the user (?:wants|asked|is asking)|ich habe|j['’]ai|he analizado|ho analizzato)(?!\p{L})/iu;

/** Starts an announcement if the line ends with a colon or mentions the message. */
const announcing =
  /^(?:here(?:['’]s| is| are| you go| it is|:)|below is|(?:the )?following (?:is|are)|this is|my suggestion|dies ist|das ist|ceci est|c['’]est|est[ea] es|est[ea] é|quest[oa] è|dit is|to jest|это|це|(?:suggested|proposed|recommended|generated) (?:git )?commit message|hier(?: ist| sind| kommt)|folgende|voici|voilà|ci-dessous|aquí|a continuación|aqui|segue|ecco|di seguito|hier is|hieronder|oto|poniżej|вот|ниже|ось|нижче|[iİ]şte|aşağıda|här (?:är|kommer)|her er|tässä|ohessa|zde je|tady je|tu je|iată|íme|ορίστε|ακολουθεί|إليك|فيما يلي|הנה|यहाँ|यह रहा|नीचे|đây là|dưới đây|berikut|นี่คือ)(?!\p{L})|^(?:以下|这是|這是|这里是|這裡是|次の|次が|다음은|여기)/iu;

/**
 * Real messages may start like this too. So the line must also mention changes or a message. In addition, it must end
 * with a colon, or be a sentence with `I` or `we`.
 */
const introducing =
  /^(?:based on|given the|after (?:reviewing|analy[sz]ing|looking)|looking at|suggest(?:ed|ion)|proposed|recommended|generated)(?!\p{L})|^(?:下面|根据|根據|基于|こちら|아래)/iu;

const changeWord = /diff|changes?(?!\p{L})|staged|更改|变更|變更|修改|差异|変更|변경/iu;

/** First words of labels and remarks. While an answer is streaming, the start of one must not count as a message. */
const firstWords: readonly string[] = (
  "here's|here is|below is|following|the following|this is|my suggest|suggested|proposed|recommended|generated|based on|given the|" +
  "after review|after analy|after looking|looking at|hier ist|voici|voilà|aquí|aqui|ecco|oto|вот|ось|işte|här är|her er|" +
  "questo è|este es|esta es|este é|dies ist|das ist|ceci est|c'est|the user|great!|great,|sure|certainly|of course|absolutely|okay|ok,|alright|got it|no problem|klar|natürlich|gerne|bien sûr|claro|certo|конечно|" +
  "以下|下面|这是|這是|好的|当然|根据|提交信息|提交消息|こちら|はい、|コミットメッセージ|다음은|여기|커밋 메시지|" +
  "let me|i've|i'll|i have|i will|happy to|a suitable|a good|a possible|a concise|a fitting|a commit|commit message|the commit message|commit-nachricht|message de commit|mensaje de commit|" +
  "mensagem de commit|messaggio di commit|title|subject|betreff|titel|titre|título|git commit|git add|$ git"
).split("|");

/** Whether an incomplete first line may turn out to be a remark, a label or a command. */
export function mayBeRemark(line: string): boolean {
  if (line.length > maxLineLength) return false;
  const bare = bareOf(line)
    .replaceAll("İ", "i")
    .toLowerCase()
    .replaceAll("’", "'")
    .replaceAll("_", " ")
    .replace(/^\[/, "");
  // A line with nothing but marks could still become anything.
  if (/^[\s#>*_`~"'“”„‘‚«»‹「『【\p{Extended_Pictographic}\ufe0f\p{Cs}]*$/u.test(line)) return true;
  if (arrivingLabel.test(bare)) return true;
  if (conventional.test(bare)) return false;
  return (
    firstWords.some((word) => word.startsWith(bare) || (bare.startsWith(word) && !bare.includes(":"))) ||
    chatty.test(bare) ||
    announcing.test(bare) ||
    introducing.test(bare)
  );
}

function bareOf(line: string): string {
  return line.replace(/^[\s#>*_`~¡¿\p{Extended_Pictographic}\ufe0f]+|[\s*_`~]+$/gu, "");
}

/** Whether a line only announces the message. @param isAll whether nothing follows the line */
export function isPreamble(line: string, isAll: boolean): boolean {
  if (line.length > maxLineLength) return false;
  const bare = bareOf(line);
  if (bare === "" || conventional.test(bare)) return false;
  const isOpen = /[:：]$/.test(bare);
  const isAbout = messageWord.test(bare);
  const isSure = chatty.test(bare) || announcing.test(bare);
  const isIntroduced = introducing.test(bare) && (isAbout || changeWord.test(bare));
  const last = bare.split(/[.!?]\s+|[。！？]/).at(-1) ?? bare;
  if (isOpen && (isSure || announcing.test(last) || isIntroduced || namingMessage.test(bare))) return true;
  const isEnded = /[.!?。！？…]$/.test(bare) || /commit message/i.test(bare);
  const isTold = isIntroduced && isEnded && /(?<!\p{L})(?:I|we|it looks)(?!\p{L})/u.test(bare);
  return !isAll && (chatty.test(bare) || isTold || (isAbout && isSure && isEnded));
}

/**
 * Whether a line ends with a colon and a conventional subject follows. In any language, such a line is an announcement.
 */
export function isColonAbove(line: string, rest: string): boolean {
  return (
    line.length <= maxLineLength &&
    /[:：][*_]*\s*$/.test(line) &&
    !conventional.test(bareOf(line)) &&
    conventional.test(rest.replace(/^[\s#>*_`"'“„«「]+/, ""))
  );
}

/** Length of an announcement on the message's line, as in `Here is the commit message: fix: a`. Returns 0 if none. */
export function announcementLength(line: string): number {
  const sure = /^[^\n!.。！]{1,30}[!.。！]\s*(?=[a-z]+(?:\([^)\n]*\))?!?: \S)/.exec(line)?.[0];
  if (sure !== undefined && chatty.test(sure)) return sure.length;
  const found = /^[^\n:：]{1,160}[:：](?:[*_]+(?=\s))?[ \t]*(?=\S)(?![*_]+\s*$)/.exec(line)?.[0];
  if (found === undefined || !messageWord.test(found)) return 0;
  const bare = bareOf(found);
  return chatty.test(bare) || announcing.test(bare) || namingMessage.test(bare) ? found.length : 0;
}

/** Length of a greeting before a subject, as in `Of course! Add a retry`. Returns 0 if no subject follows. */
export function greetingLength(line: string): number {
  const greeting = /^[^\n!.。！]{1,30}[!.。！]\s*(?=\S)/.exec(line)?.[0];
  if (greeting === undefined || !chatty.test(greeting)) return 0;
  const rest = line.slice(greeting.length);
  const isRemark = /[.!?:：。！？…]\s*$/.test(rest) || chatty.test(rest) || announcing.test(rest);
  return isRemark || messageWord.test(rest) ? 0 : greeting.length;
}

const messageName =
  "(?:(?:the|your|a|git|suggested|proposed|recommended|final|generated|conventional|new|short|concise|updated|revised) )*" +
  "(?:commit[ _-]?(?:message|msg|text|nachricht|meldung|bericht|besked|melding|meddelande)|commit mesajı|" +
  "message (?:de|du) commit|mensaje (?:de|del) commit|mensagem (?:de|do) commit|messaggio (?:di|del) commit|" +
  "(?:wiadomość|treść|komunikat) commita?|сообщение (?:коммита|commit|к коммиту)|повідомлення коміту|" +
  "提交(?:信息|消息|訊息|说明|說明|描述|備註|备注)|コミット ?メッセージ|커밋 ?메시지)";

/** Starts with a name for the message, optionally after an article. */
const namingMessage = new RegExp(`^${messageName}|^(?:the|your|an?|my)(?!\\p{L}).{0,60}commit message`, "iu");
/** Separators between a label and the message. */
const behindLabel = "(?:[:：]|[=-]>|→|[—–](?= ))";
const label = new RegExp(
  `^${mark}${messageName}(?:\\s*[(（][^)）\\n]*[)）])?${mark}${behindLabel}[*_]{0,4}\\s*`,
  "iu",
);
/** A label without a colon, as a heading or in bold. */
const heading = new RegExp(`^(?:#{1,6}|\\*\\*|__|\\[)${mark}${messageName}${mark}\\]?\\n\\s*`, "iu");
const labelLine = new RegExp(`^${mark}${messageName}${mark}[:：]?${mark}$`, "imu");

/**
 * Offset of the message below a line that is only a label. Sentences may be above that line. Returns 0 if there is no
 * such line, or nothing below it.
 */
export function endOfLabelLine(text: string): number {
  if (!isSentence(text)) return 0;
  const found = labelLine.exec(text);
  return found === null || text.slice(found.index + found[0].length).trim() === ""
    ? 0
    : found.index + found[0].length;
}

/** Whether the first line ends like a sentence and is not a conventional subject. */
export function isSentence(text: string): boolean {
  const [first = ""] = text.split("\n", 1);
  return first.length <= maxLineLength && /[.!?:：。！？…][*_]*\s*$/.test(first) && !conventional.test(first);
}

/** Labels that may also name a part of the project. A conventional subject or the end of the line must follow. */
const generalName =
  "(?:commit|message|assistant|(?:final )?answer|output|response|result|antwort|réponse|respuesta|resposta|risposta)";
const generalLabel = new RegExp(
  `^[*_]*${generalName}[*_]*\\s*[:：][*_]*(?:[ \\t]*\\n\\s*|[ \\t]+(?=[a-z]+(?:\\([^)\\n]*\\))?!?: \\S))`,
  "i",
);
/** A label from `generalName` while the text after it is still streaming. */
const arrivingLabel = new RegExp(
  `^${generalName}[*_]*\\s*(?:[:：]\\s*(?:[a-z]+(?:\\([^)]*\\)?)?!?:?\\s*)?)?$`,
  "i",
);

/** Length of a label such as `Commit message:` at the start of a text, or 0. */
export function labelLength(text: string): number {
  const found = label.exec(text) ?? heading.exec(text) ?? generalLabel.exec(text);
  if (found !== null) return found[0].length;
  return body.test(text) ? 0 : (summaryLabel.exec(text)?.[0].length ?? 0);
}

const summaryLabel = /^[*_]*summary[*_]*\s*[:：][*_]*[ \t]+(?=[a-z]+(?:\([^)\n]*\))?!?: \S)/i;

const titleName =
  "title|subject(?: line)?|titel|betreff|titre|objet|sujet|título|asunto|assunto|titolo|oggetto|onderwerp|temat|tytuł|заголовок|тема|标题|標題|主题|主題|タイトル|件名|제목";
const bodyName =
  "body|description|details|text|textkörper|beschreibung|corps|description|cuerpo|descripción|corpo|descrição|descrizione|treść|opis|тело|описание|тіло|опис|正文|描述|内容|內容|本文|説明|본문|설명";
const title = new RegExp(`^${mark}(?:commit[ -])?(?:${titleName})${mark}[:：][*_]{0,4}\\s*`, "iu");
const summary = new RegExp(
  `^${mark}(?:commit[ -])?(?:${titleName}|headline|header|summary|zusammenfassung|résumé|resumen|resumo|摘要|概要|요약)${mark}[:：][*_]{0,4}\\s*`,
  "iu",
);
const body = new RegExp(`^${mark}(?:commit[ -])?(?:${bodyName})${mark}[:：][*_]{0,4}[ \\t]*`, "imu");
const footer = /^[*_ \t]*footers?[*_ \t]*[:：][*_ \t]*\n?/im;

/** Splits a text that labels its subject and maybe its body. Returns undefined without such labels. */
export function labelledParts(text: string): { readonly subject: string; readonly body: string } | undefined {
  const bodyStart = body.exec(text);
  const head = (bodyStart === null ? title : summary).exec(text)?.[0];
  // In lower case, the label may name a part of the project, as in `title: make it shorter`.
  const isPlain = head === undefined || (bodyStart === null && /^\p{Ll}/u.test(head));
  if (isPlain) return undefined;
  if (bodyStart === null) return { subject: text.slice(head.length), body: "" };
  return {
    subject: text.slice(head.length, bodyStart.index),
    body: text.slice(bodyStart.index + bodyStart[0].length).replace(footer, ""),
  };
}

const ofItself =
  /^i(?:['’]ve| have)? (?:kept|used|wrote|chose|followed|focused|limited|included|omitted|left)(?!\p{L})|^\(?\d{1,3} (?:characters|chars)\)?\.?$|^this (?:commit )?message (?:summari[sz]es|describes|captures|clearly|is|uses|explains|highlights|covers)(?!\p{L})|^(?:this|it) follows (?:the )?conventional|^(?:this|the above|above) (?:suggested |proposed )?commit (?:message|title)\b|^(?:this|the) (?:commit )?(?:message|title|format|subject)\b[^\n]*(?:conventional[ -]commits?|commit (?:convention|format|guideline|best practice)|imperative mood|72 characters|50 characters)/iu;
const toReader =
  /^(?:let me know|would you like (?:me|to)|feel free to|i hope|hope (?:this|that) helps|is there anything|please let me know|do you want me|shall i|if you(?:['’]d| would) like (?:me|any|a|to (?:adjust|change|modify))|if you need (?:any|further|more)|lass mich wissen|n['’]hésitez pas|avísame|déjame saber|me avise|fammi sapere|如果(?:您|你)?需要|请告诉我|ご不明|필요하시면|дайте знать)/i;
const ofItselfInOtherLanguages =
  /^(?:diese|dieser|die|cette|ce|este|esta|questo|questa|deze|dit|это|данное|этот|此|该|該|这个|這個|这条|この|上記|이|위)/i;

/** Whether a paragraph is about the message or addresses the reader, instead of describing the change. */
export function isMetaParagraph(paragraph: string): boolean {
  const bare = paragraph
    .replace(/^-{3,}\n/, "")
    .replace(/^[\s*_>(]+/, "")
    .replace(/^(?:note|explanation|hinweis|nota)[*_]*:[*_]*\s*/i, "");
  if (ofItself.test(bare) || toReader.test(bare)) return true;
  return (
    ofItselfInOtherLanguages.test(bare) &&
    messageWord.test(bare) &&
    /conventional[ -]commits?|规范|規範|約定|约定|規約|규약|규칙|соглашени/i.test(bare)
  );
}
