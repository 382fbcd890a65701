import type { CauseRule } from "./causeRules.ts";

/**
 * Words by which services speak of a key, a model and the like in German, French, Spanish,
 * Portuguese, Russian, Japanese, Korean and Chinese. Only stems: endings differ by case and gender.
 */
const key =
  "api.?key|schlüssel|clés?(?![a-zà-ÿ])|clave|chave|ключ|キー|키|密钥|令牌|凭证|token|jeton|トークン|토큰|токен";
const model = "model|modèle|модел|モデル|모델|模型";
const money =
  "guthaben|quota|kontingent|budget|crédit|solde|saldo|crédito|presupuesto|orçamento|cuota|cota\\b|баланс|средств|бюджет|квот|残高|クレジット|予算|잔액|크레딧|예산|余额|额度|配额";
const context =
  "kontext|eingabe|contexte|texte|contexto|entrada|контекст|コンテキスト|入力|컨텍스트|입력|上下文|输入";

const none =
  "\\bkein|fehlt|nicht (?:angegeben|übermittelt)|aucun|manqu|absente?\\b|non fourni|ningun|nenhum|no se (?:ha )?(?:proporcion|indic|envi)|falta|ausente|não (?:foi )?(?:fornec|inform|envi)|не (?:указан|передан|предоставлен)|отсутств|指定されていま|ありません|提供されていま|제공되지|없습니다|누락|缺少|缺失|未提供";
const expired = "abgelaufen|expir(?:é|ad|ou|ó)|caducad|vencid|ист[её]к|期限切れ|期限が切れ|만료|过期|失效";
const revoked =
  "gesperrt|widerrufen|deaktiviert|révoqu|bloqu|désactiv|revocad|revogad|desactivad|desativad|suspend|отозван|заблокирован|отключ[её]н|無効化|取り消され|失効|停止され|비활성화|차단|폐기|해지|취소|吊销|禁用|停用|封禁";
const invalid =
  "ungültig|falsch|nicht erkannt|invalide|non valide|incorrect|inválid|no (?:es )?válid|não é válid|неверн|недействит|некорректн|無効|正しくあり|不正|유효하지|잘못된|올바르지|无效|错误";
const spent =
  "aufgebraucht|erschöpft|überschritten|nicht aus|unzureichend|épuisé|insuffisant|dépassé|insuficiente|agotad|esgotad|excedid|недостаточно|исчерпан|превышен|不足|超過|부족|초과|소진|用尽|耗尽";
const denied =
  "berechtig|nicht erlaubt|kein(?:en)? zugriff|autoris[ée]|accès|permiso|acceso|permiss|acesso|autorizad|доступ|разрешен|権限|許可|권한|허용|权限|无权|недостаточно прав|нет прав";
const unknown =
  "nicht (?:gefunden|vorhanden|verfügbar)|existiert nicht|unbekannt|introuvable|n.existe pas|no (?:existe|encontrad|se encontr)|não (?:existe|foi encontrad|encontrad)|не (?:найден|существу)|見つかり|存在しま|찾을 수 없|존재하지|不存在|未找到";
const tooLong =
  "überschreit|zu lang|zu klein|dépass|trop long|super|excede|demasiado larg|muito long|превыш|слишком длин|超え|長すぎ|초과|너무 깁|超过|超出|过长";

/** Both in one text, at most a short sentence apart, in either order. */
function both(one: string, other: string): string {
  return `(?:${one}).{0,80}(?:${other})|(?:${other}).{0,80}(?:${one})`;
}

function rule(cause: CauseRule["cause"], ...patterns: readonly string[]): CauseRule {
  return { cause, pattern: new RegExp(patterns.join("|"), "i") };
}

/** What messages in other languages say; asked where the English ones say nothing. */
export const translatedMessages: readonly CauseRule[] = [
  rule(
    "rate-limited",
    "zu viele (?:an|auf)fragen|trop de (?:requêt|demand)|demasiad[ao]s (?:solicitud|petic)|muit[ao]s (?:solicita|requisi)|слишком много запросов|リクエスト(?:が多|数)|요청이 너무 많|요청 (?:한도|횟수)|请求(?:过|太)|anfragelimit|límite de (?:solicitud|velocidad)|limite de (?:requ|taxa|débit)",
  ),
  rule(
    "overloaded",
    "überlastet|ausgelastet|surchargé|sobrecarga|sobrecarreg|saturad|перегруж|混雑|過負荷|과부하|혼잡|繁忙|负载",
  ),
  rule("budget-exhausted", both(money, spent)),
  rule("context-length", both(context, tooLong)),
  rule("expired-key", both(key, expired)),
  rule("revoked-key", both(key, revoked)),
  rule("invalid-key", both(key, invalid)),
  rule("model-not-found", both(model, unknown)),
  rule("model-not-allowed", both(model, denied)),
  rule("empty-key", both(key, none)),
  rule("invalid-key", both(key, unknown)),
];
