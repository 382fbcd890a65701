import type { CauseRule } from "./causeRules.ts";

/** Word stems by language, because endings vary by case and gender. Each is part of a regular expression. */
type Stems = Readonly<Partial<Record<Language, string>>>;
type Language =
  | "any"
  | "de"
  | "es"
  | "fr"
  | "it"
  | "ja"
  | "ko"
  | "nl"
  | "pl"
  | "pt"
  | "ru"
  | "tr"
  | "zh-hans"
  | "zh-hant";

/** Stems of the subjects of error messages. */
const subjects = {
  key: {
    any: "api.?key|\\btoken\\b",
    de: "schlüssel",
    es: "clave",
    fr: "clés?(?![a-zà-ÿ])|jeton",
    it: "chiav[ei]",
    ja: "キー|トークン",
    ko: "키|토큰",
    nl: "sleutel",
    pl: "klucz|\\btoken[aiu]\\b",
    pt: "chave",
    ru: "ключ|токен",
    tr: "anahtar|jeton",
    "zh-hans": "密钥|令牌|凭证",
    "zh-hant": "金鑰|密鑰|權杖|憑證",
  },
  account: {
    de: "konto",
    es: "cuenta",
    fr: "compte",
    it: "account|utente",
    ja: "アカウント|ユーザー",
    ko: "계정|사용자",
    nl: "gebruiker",
    pl: "kont[oa]",
    pt: "conta",
    ru: "аккаунт|уч[её]тн|пользовател",
    tr: "hesap|hesab",
    "zh-hans": "账户|账号|帐户|帐号|用户",
    "zh-hant": "帳戶|帳號|使用者",
  },
  plan: {
    de: "abonnement|\\babo\\b|tarif",
    es: "suscripci",
    fr: "abonnement",
    it: "abbonament",
    ja: "サブスクリプション|プラン",
    ko: "구독|요금제",
    nl: "abonnement",
    pl: "subskrypcj|abonament",
    pt: "assinatura",
    ru: "подписк|тариф",
    tr: "abonelik|aboneli",
    "zh-hans": "套餐|订阅|资源包|会员",
    "zh-hant": "方案|訂閱|資源包|會員",
  },
  model: {
    any: "model",
    fr: "modèle",
    it: "modell[oi]",
    ja: "モデル",
    ko: "모델",
    ru: "модел",
    "zh-hans": "模型",
  },
  money: {
    any: "quota|budget|credit",
    de: "guthaben|kontingent",
    es: "saldo|crédito|presupuesto|cuota",
    fr: "crédit|solde",
    it: "credito|saldo",
    ja: "残高|クレジット|予算|利用枠",
    ko: "잔액|크레딧|예산|할당량",
    nl: "tegoed|saldo|krediet|quotum",
    pl: "budżet|saldo|środk|kredyt",
    pt: "saldo|orçamento|crédito|cota\\b",
    ru: "баланс|средств|бюджет|квот",
    tr: "bütçe|bakiye|kredi|kota",
    "zh-hans": "余额|额度|配额|预算",
    "zh-hant": "餘額|額度|配額|預算|點數",
  },
  context: {
    any: "context|prompt|message",
    de: "kontext|eingabe|nachricht",
    es: "contexto|entrada|mensaje",
    fr: "contexte|texte|invite|entrée",
    it: "contesto|testo|messaggio",
    ja: "コンテキスト|入力|プロンプト",
    ko: "컨텍스트|입력|프롬프트",
    nl: "invoer|bericht",
    pl: "kontekst|wejści|wiadomoś",
    pt: "contexto|entrada|mensagem",
    ru: "контекст|сообщени",
    tr: "bağlam|girdi|mesaj",
    "zh-hans": "上下文|输入|提示|消息",
    "zh-hant": "上下文|輸入|提示|訊息",
  },
} as const satisfies Readonly<Record<string, Stems>>;

/** Stems of the states of these subjects. */
const states = {
  missing: {
    de: "\\bkein|fehlt|nicht (?:angegeben|übermittelt|gesendet)",
    es: "ningun|falta|no se (?:ha )?(?:proporcion|indic|envi|recib)",
    fr: "aucun|manqu|absente?\\b|non fourni",
    it: "\\bmanc|assente|nessun|non (?:è stat[ao] )?(?:fornit|specificat|inviat)",
    ja: "指定されていま|ありません|提供されていま|見つかりません|必要です",
    ko: "제공되지|없습니다|누락|필요합니다",
    nl: "ontbre|\\bgeen\\b|niet (?:opgegeven|meegegeven|meegestuurd|ontvangen)",
    pl: "\\bbrak|nie (?:podano|przesłano|otrzymano)|wymagan",
    pt: "nenhum|falta|ausente|não (?:foi )?(?:fornec|inform|envi)",
    ru: "не (?:указан|передан|предоставлен|найден)|отсутств",
    tr: "eksik|gerekli|sağlanma|belirtilme|gönderilme",
    "zh-hans": "缺少|缺失|未提供|未收到|没有提供",
    "zh-hant": "缺少|缺失|未提供|未收到|沒有提供|遺失",
  },
  expired: {
    any: "expir(?:é|ad|ou|ó)",
    de: "abgelaufen|nicht mehr gültig",
    es: "caducad|vencid",
    it: "scadut",
    ja: "期限切れ|期限が切れ",
    ko: "만료",
    nl: "verlopen",
    pl: "wygas|przeterminowan",
    ru: "ист[её]к",
    tr: "süresi (?:dol|geç|bit)",
    "zh-hans": "过期|失效|到期",
    "zh-hant": "過期|失效|到期",
  },
  revoked: {
    de: "gesperrt|widerrufen|deaktiviert",
    es: "revocad|desactivad|bloquead|suspendid",
    fr: "révoqu|bloqu|désactiv|suspendu",
    it: "revocat|disattivat|disabilitat|bloccat|sospes",
    ja: "無効化|取り消され|失効|停止され",
    ko: "비활성화|차단|폐기|해지|취소",
    nl: "ingetrokken|geblokkeerd|gedeactiveerd|uitgeschakeld|opgeschort",
    pl: "unieważnion|cofnięt|zablokowan|wyłączon|dezaktywowan|zawieszon",
    pt: "revogad|desativad|bloquead|suspens",
    ru: "отозван|заблокирован|отключ[её]н|приостановлен",
    tr: "iptal edil|engellen|devre dışı|askıya al",
    "zh-hans": "吊销|禁用|停用|封禁|撤销|锁定|冻结|非活动",
    "zh-hant": "吊銷|禁用|停用|封鎖|撤銷|鎖定|凍結|停權",
  },
  invalid: {
    de: "ungültig|falsch|nicht erkannt",
    es: "inválid|no (?:es )?válid|incorrect[oa]",
    fr: "non valide|invalide|incorrecte\\b",
    it: "non (?:è )?valid|invalid[oa]|errat[oa]",
    ja: "無効|正しくあり|不正",
    ko: "유효하지|잘못된|올바르지",
    nl: "ongeldig|onjuist|niet geldig",
    pl: "nieprawidłow|niepoprawn|nieważn|błędn",
    pt: "inválid|não é válid|incorret",
    ru: "неверн|недействит|некорректн",
    tr: "geçersiz|hatalı|yanlış",
    "zh-hans": "无效|错误",
    "zh-hant": "無效|錯誤|不正確",
  },
  spent: {
    de: "aufgebraucht|verbraucht|erschöpft|ausgeschöpft|überschritten|nicht aus|unzureichend|zu niedrig",
    es: "agot|excedid|superad|consumid|insuficiente",
    fr: "épuisé|insuffisant|dépassé|consommé|atteint",
    it: "esaurit|superat|insufficient|consumat",
    ja: "不足|超過|使い切|使い果た|達しま|枯渇",
    ko: "부족|초과|소진|모두 사용|다 사용|도달",
    nl: "\\bis op\\b|opgebruikt|verbruikt|overschreden|onvoldoende|uitgeput",
    pl: "skończył|wyczerpan|przekroczon|niewystarczaj|wykorzystan",
    pt: "esgotad|acab(?:ou|aram)|excedid|consumid|insuficiente|ultrapassad",
    ru: "недостаточно|исчерпан|превышен|израсходован|закончил",
    tr: "tüken|aşıl|yetersiz|doldu|bitti",
    "zh-hans": "不足|用尽|用完|耗尽|超支",
    "zh-hant": "不足|用盡|用完|耗盡|超支",
  },
  denied: {
    de: "berechtig|nicht (?:erlaubt|freigegeben|freigeschaltet|zugelassen)|freigabeliste|kein(?:en)? zugriff",
    es: "permiso|acceso|autorizad|no (?:está )?(?:permitid|habilitad)",
    fr: "autoris[ée]|accès|interdit|pas permis",
    it: "permess|accesso|non (?:è )?(?:consentit|autorizzat|abilitat)",
    ja: "権限|アクセス権|許可|利用できません|使用できません",
    ko: "권한|허용|사용할 수 없|접근할 수 없",
    nl: "niet gebruiken|toegang|toestemming|rechten|niet toegestaan",
    pl: "dostęp|uprawnie|niedozwolon",
    pt: "permiss[ãõa]o|acesso|autorizad|não (?:está )?(?:permitid|habilitad|liberad)",
    ru: "доступ|разрешен|запрещ|недостаточно прав|нет прав",
    tr: "\\biz(?:in|n)|yetki|erişim",
    "zh-hans": "权限|无权|不允许|未授权|未开(?:放|通)",
    "zh-hant": "權限|無權|不允許|未授權|未開(?:放|通)",
  },
  unknown: {
    de: "nicht (?:gefunden|vorhanden|verfügbar)|existiert nicht|unbekannt",
    es: "no (?:existe|encontrad|se encontr)|desconocid",
    fr: "introuvable|n.existe pas|inconnu",
    it: "non (?:trovat|esiste|disponibil|è stato trovat)|inesistente|sconosciut",
    ja: "見つかり|存在しま",
    ko: "찾을 수 없|존재하지",
    nl: "niet gevonden|bestaat niet|onbekend",
    pl: "nie (?:znaleziono|istnieje|odnaleziono)|nieznan|nie jest (?:już )?dostępn(?!.{0,20}dla)",
    pt: "não (?:existe|foi encontrad|encontrad)|desconhecid",
    ru: "не (?:найден|существу)|неизвестн|не ?доступн(?!.{0,20}для)",
    tr: "bulunamadı|mevcut değil|bilinmeyen",
    "zh-hans": "不存在|未找到|找不到|下线|下架",
    "zh-hant": "不存在|未找到|找不到|下線|下架",
  },
  tooLong: {
    de: "überschreit|zu lang|zu klein",
    es: "supera|excede|demasiado larg",
    fr: "dépass|trop long",
    it: "supera|ecced|troppo lung",
    ja: "超え|長すぎ",
    ko: "초과|너무 (?:깁|긴|길)",
    nl: "te lang|overschrijd",
    pl: "za dług|zbyt dług|przekracza",
    pt: "excede|muito long|ultrapassa",
    ru: "превыш|слишком длин",
    tr: "çok uzun|aşıyor|aşt",
    "zh-hans": "超过|超出|过长",
    "zh-hant": "超過|超出|過長",
  },
} as const satisfies Readonly<Record<string, Stems>>;

const tooMany: Stems = {
  de: "zu viele (?:an|auf)fragen|anfragelimit",
  es: "demasiad[ao]s (?:solicitud|petic)|límite de (?:solicitud|velocidad)",
  fr: "trop de (?:requêt|demand)|limite de (?:requ|débit)",
  it: "troppe richieste|limite di (?:richieste|frequenza)",
  ja: "リクエスト(?:が多|数)",
  ko: "요청이 너무 많|요청 (?:한도|횟수)",
  nl: "te veel (?:verzoek|aanvra)",
  pl: "(?:zbyt wiele|za dużo) (?:żądań|zapytań)|limit (?:żądań|zapytań)",
  pt: "muit[ao]s (?:solicita|requisi)|limite de taxa",
  ru: "слишком много запросов",
  tr: "çok fazla istek|istek sınırı",
  "zh-hans": "请求(?:过|太)",
  "zh-hant": "請求(?:過|太|次數)|頻率",
};

const overloaded: Stems = {
  de: "überlastet|ausgelastet",
  es: "sobrecarga|saturad",
  fr: "surchargé|saturé",
  it: "sovraccaric",
  ja: "混雑|過負荷",
  ko: "과부하|혼잡",
  nl: "overbelast",
  pl: "przeciążon",
  pt: "sobrecarreg",
  ru: "перегруж",
  tr: "aşırı yük",
  "zh-hans": "繁忙|负载",
  "zh-hant": "繁忙|忙碌|負載|過載",
};

const filtered: Stems = {
  de: "inhaltsfilter|inhaltsrichtlinie",
  es: "(?:política|filtro|moderación) de contenido",
  fr: "(?:politique|filtre|modération) (?:de |du )contenu",
  it: "(?:filtro|politica|moderazione) (?:dei |sui |del )?contenut",
  ja: "コンテンツ(?:ポリシー|フィルタ)|不適切な(?:内容|コンテンツ)",
  ko: "콘텐츠 ?(?:정책|필터)|부적절한 (?:내용|콘텐츠)",
  nl: "inhoudsfilter|inhoudsbeleid",
  pl: "filtr\\S* treści|zasad\\S* dotycząc\\S* treści",
  pt: "(?:política|filtro|moderação) de conteúdo",
  ru: "(?:политик|фильтр|модераци)\\S* (?:контента|содержимого)",
  tr: "içerik (?:filtre|politika)",
  "zh-hant": "敏感|違規|內容(?:安全|政策|審查)",
};

const inAnyLanguage = (stems: Stems): string => Object.values(stems).join("|");

/** Creates a rule for a subject and a state within 80 characters, in either order. */
function ruleOf(
  cause: CauseRule["cause"],
  subject: keyof typeof subjects,
  state: keyof typeof states,
): CauseRule {
  const [one, other] = [inAnyLanguage(subjects[subject]), inAnyLanguage(states[state])];
  return {
    cause,
    pattern: new RegExp(`(?:${one}).{0,80}(?:${other})|(?:${other}).{0,80}(?:${one})`, "i"),
  };
}

/** Rules for messages in other languages, used if no English rule matches. */
export const translatedMessages: readonly CauseRule[] = [
  { cause: "rate-limited", pattern: new RegExp(inAnyLanguage(tooMany), "i") },
  { cause: "overloaded", pattern: new RegExp(inAnyLanguage(overloaded), "i") },
  { cause: "content-filtered", pattern: new RegExp(inAnyLanguage(filtered), "i") },
  ruleOf("budget-exhausted", "money", "spent"),
  ruleOf("context-length", "context", "tooLong"),
  ruleOf("budget-exhausted", "plan", "expired"),
  ruleOf("expired-key", "key", "expired"),
  ruleOf("revoked-key", "key", "revoked"),
  ruleOf("revoked-key", "account", "revoked"),
  ruleOf("invalid-key", "key", "invalid"),
  ruleOf("model-not-found", "model", "unknown"),
  ruleOf("model-not-allowed", "model", "denied"),
  ruleOf("empty-key", "key", "missing"),
  ruleOf("invalid-key", "key", "unknown"),
];
