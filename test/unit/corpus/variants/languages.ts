import type { Cause } from "../../../../src/client/cause.ts";
import { chatError, type ErrorVariant, messagesError } from "./errorVariant.ts";

type Sentences = readonly (readonly [cause: Cause, status: number, sentence: string])[];

/** What a service says to those who did not ask for English. */
const sentences: Readonly<Record<string, Sentences>> = {
  Chinese: [
    ["empty-key", 401, "请求头中缺少 API 密钥"],
    ["invalid-key", 401, "API 密钥无效，请检查后重试"],
    ["expired-key", 401, "您的 API Key 已于昨日过期"],
    ["revoked-key", 403, "该密钥已被吊销"],
    ["budget-exhausted", 402, "账户余额不足，请充值"],
    ["rate-limited", 429, "请求过于频繁，请稍后再试"],
    ["model-not-found", 404, "模型 service-9 不存在"],
    ["model-not-allowed", 403, "没有权限使用该模型"],
    ["context-length", 400, "输入内容超过模型的最大上下文长度"],
    ["overloaded", 503, "服务器繁忙，请稍后重试"],
    ["content-filtered", 400, "您的输入包含敏感信息"],
  ],
  Japanese: [
    ["empty-key", 401, "APIキーが指定されていません"],
    ["invalid-key", 401, "APIキーが無効です。ご確認ください。"],
    ["expired-key", 401, "APIキーの有効期限が切れています"],
    ["revoked-key", 403, "このAPIキーは無効化されました"],
    ["budget-exhausted", 402, "クレジット残高が不足しています"],
    ["rate-limited", 429, "リクエストが多すぎます。しばらくしてから再試行してください"],
    ["model-not-found", 404, "モデル service-9 が見つかりません"],
    ["model-not-allowed", 403, "このモデルを使用する権限がありません"],
    ["context-length", 400, "入力が最大コンテキスト長を超えています"],
    ["overloaded", 503, "サーバーが混雑しています"],
  ],
  Korean: [
    ["empty-key", 401, "API 키가 제공되지 않았습니다"],
    ["invalid-key", 401, "유효하지 않은 API 키입니다"],
    ["expired-key", 401, "API 키가 만료되었습니다"],
    ["revoked-key", 403, "이 API 키는 비활성화되었습니다"],
    ["budget-exhausted", 402, "크레딧 잔액이 부족합니다"],
    ["rate-limited", 429, "요청이 너무 많습니다. 잠시 후 다시 시도하세요"],
    ["model-not-found", 404, "모델 service-9을(를) 찾을 수 없습니다"],
    ["model-not-allowed", 403, "이 모델을 사용할 권한이 없습니다"],
    ["context-length", 400, "입력이 최대 컨텍스트 길이를 초과했습니다"],
    ["overloaded", 503, "서버가 과부하 상태입니다"],
  ],
  German: [
    ["empty-key", 401, "Es wurde kein API-Schlüssel angegeben."],
    ["invalid-key", 401, "Der API-Schlüssel ist ungültig."],
    ["expired-key", 401, "Der API-Schlüssel ist am 01.02.2031 abgelaufen."],
    ["revoked-key", 403, "Dieser Schlüssel wurde gesperrt."],
    ["budget-exhausted", 402, "Das Guthaben ist aufgebraucht."],
    ["rate-limited", 429, "Zu viele Anfragen. Bitte später erneut versuchen."],
    ["model-not-found", 404, "Das Modell „service-9“ wurde nicht gefunden."],
    ["model-not-allowed", 403, "Sie haben keine Berechtigung für dieses Modell."],
    ["context-length", 400, "Die Eingabe überschreitet die maximale Kontextlänge von 8192 Token."],
    ["overloaded", 503, "Der Dienst ist derzeit überlastet."],
  ],
  French: [
    ["empty-key", 401, "Aucune clé d'API n'a été fournie."],
    ["invalid-key", 401, "La clé d’API est invalide."],
    ["expired-key", 401, "Votre clé API a expiré."],
    ["revoked-key", 403, "Cette clé a été révoquée."],
    ["budget-exhausted", 402, "Votre crédit est épuisé."],
    ["rate-limited", 429, "Trop de requêtes, veuillez réessayer plus tard."],
    ["model-not-found", 404, "Le modèle service-9 est introuvable."],
    ["model-not-allowed", 403, "Vous n'êtes pas autorisé à utiliser ce modèle."],
    ["context-length", 400, "Le texte dépasse la longueur maximale du contexte."],
    ["overloaded", 503, "Le service est actuellement surchargé."],
  ],
  Spanish: [
    ["empty-key", 401, "No se proporcionó ninguna clave de API."],
    ["invalid-key", 401, "La clave de API no es válida."],
    ["expired-key", 401, "La clave de API ha caducado."],
    ["revoked-key", 403, "Esta clave ha sido revocada."],
    ["budget-exhausted", 402, "Saldo insuficiente en la cuenta."],
    ["rate-limited", 429, "Demasiadas solicitudes. Inténtelo más tarde."],
    ["model-not-found", 404, "El modelo service-9 no existe."],
    ["model-not-allowed", 403, "No tiene permiso para usar este modelo."],
    ["context-length", 400, "La entrada supera la longitud máxima de contexto."],
    ["overloaded", 503, "El servicio está sobrecargado."],
  ],
  Portuguese: [
    ["empty-key", 401, "Nenhuma chave de API foi fornecida."],
    ["invalid-key", 401, "A chave de API é inválida."],
    ["expired-key", 401, "A chave de API expirou."],
    ["revoked-key", 403, "Esta chave foi revogada."],
    ["budget-exhausted", 402, "Saldo insuficiente."],
    ["rate-limited", 429, "Muitas solicitações. Tente novamente mais tarde."],
    ["model-not-found", 404, "O modelo service-9 não foi encontrado."],
    ["model-not-allowed", 403, "Você não tem permissão para usar este modelo."],
    ["context-length", 400, "A entrada excede o comprimento máximo do contexto."],
    ["overloaded", 503, "O serviço está sobrecarregado."],
  ],
  Russian: [
    ["empty-key", 401, "Ключ API не указан."],
    ["invalid-key", 401, "Неверный ключ API."],
    ["expired-key", 401, "Срок действия ключа API истёк."],
    ["revoked-key", 403, "Этот ключ был отозван."],
    ["budget-exhausted", 402, "Недостаточно средств на балансе."],
    ["rate-limited", 429, "Слишком много запросов, попробуйте позже."],
    ["model-not-found", 404, "Модель service-9 не найдена."],
    ["model-not-allowed", 403, "У вас нет доступа к этой модели."],
    ["context-length", 400, "Превышена максимальная длина контекста."],
    ["overloaded", 503, "Сервис перегружен."],
  ],
};

/** Every sentence in every envelope, also on a status that says less than the sentence. */
export const languageVariants: readonly ErrorVariant[] = Object.entries(sentences).flatMap(
  ([language, rows]) =>
    rows.flatMap(([cause, status, sentence]) => {
      const from = `${language}, ${cause}`;
      const causes = [cause];
      return [
        { from, status, body: chatError(sentence), causes },
        { from, status, body: messagesError("invalid_request_error", sentence), causes },
        { from, status, body: { code: 10012, message: sentence, data: null }, causes },
        { from, status: 400, body: { detail: sentence }, causes },
        { from, status: 200, body: { error: sentence }, causes },
      ];
    }),
);
