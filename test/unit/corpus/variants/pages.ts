import type { Cause } from "../../../../src/client/failure/cause.ts";
import type { ErrorVariant } from "./errorVariant.ts";

type PageKind = "sign-in" | "blocked" | "gateway-error" | "web-site";

export interface PageVariant extends ErrorVariant {
  readonly page: PageKind;
}

function page(
  kind: PageKind,
  status: number,
  title: string,
  body: string,
  cause: Cause,
  headers: Readonly<Record<string, string>> = {},
): PageVariant {
  const text = `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body>${body}</body></html>`;
  return {
    page: kind,
    from: title,
    status,
    body: text,
    causes: [cause],
    headers: { ...headers, "content-type": "text/html" },
  };
}

const field = '<form><input name="u"><input name="p" type="password"></form>';

/** HTML pages that networks, firewalls, gateways, and websites send instead of an answer. */
export const pageVariants: readonly PageVariant[] = [
  page("sign-in", 200, "Anmelden", field, "not-an-api"),
  page(
    "sign-in",
    200,
    "WLAN-Anmeldung",
    "<p>Bitte melden Sie sich an, um das Internet zu nutzen.</p>",
    "not-an-api",
  ),
  page(
    "sign-in",
    200,
    "Portail captif",
    "<p>Veuillez vous connecter pour accéder à Internet.</p>",
    "not-an-api",
  ),
  page("sign-in", 200, "Iniciar sesión", "<p>Hotel</p>", "not-an-api"),
  page("sign-in", 200, "Entrar", "<p>Faça login para continuar.</p>", "not-an-api"),
  page("sign-in", 200, "登录", "<p>请登录</p>", "not-an-api"),
  page("sign-in", 200, "ログイン", "<p>続行するにはサインインしてください</p>", "not-an-api"),
  page("sign-in", 200, "로그인", "<p>계속하려면 로그인하세요</p>", "not-an-api"),
  page("sign-in", 200, "Вход", "<p>Войдите в систему</p>", "not-an-api"),
  page("sign-in", 403, "Guest Wi-Fi", "<p>Accept the terms to connect to the internet.</p>", "not-an-api"),
  page("blocked", 403, "Zugriff verweigert", "<p>Ihre Anfrage wurde blockiert.</p>", "not-an-api"),
  page("blocked", 403, "Accès refusé", "<p>Votre requête a été bloquée.</p>", "not-an-api"),
  page("blocked", 403, "Acceso denegado", "<p>Bloqueado por el cortafuegos</p>", "not-an-api"),
  page("blocked", 403, "访问被拒绝", "<p>您的请求已被拦截</p>", "not-an-api"),
  page("blocked", 403, "アクセスが拒否されました", "<p>ブロックされました</p>", "not-an-api"),
  page("blocked", 403, "Доступ запрещён", "<p>Запрос заблокирован</p>", "not-an-api"),
  page("blocked", 403, "Verifying you are human", "<p>Complete the CAPTCHA</p>", "not-an-api", {
    server: "cloudflare",
  }),
  page("gateway-error", 502, "502 Bad Gateway", "<center>nginx</center>", "server-error"),
  page("gateway-error", 503, "503 Service Temporarily Unavailable", "<center>nginx</center>", "overloaded"),
  page("gateway-error", 504, "504 Gateway Time-out", "<center>openresty</center>", "timeout"),
  page("gateway-error", 404, "Fehler 404", "<p>Seite nicht gefunden</p>", "not-an-api"),
  page("gateway-error", 404, "Page introuvable", "<p>Erreur 404</p>", "not-an-api"),
  page("gateway-error", 404, "Página no encontrada", "<p>404</p>", "not-an-api"),
  page("gateway-error", 404, "页面不存在", "<p>404</p>", "not-an-api"),
  page("gateway-error", 404, "ページが見つかりません", "<p>404</p>", "not-an-api"),
  page("gateway-error", 404, "Error", "<pre>Cannot POST /v1/chat/completions</pre>", "not-an-api"),
  page("gateway-error", 502, "ERROR: The requested URL could not be retrieved", "<p>squid</p>", "proxy", {
    server: "squid/6.1",
  }),
  page("sign-in", 407, "Proxy Authentication Required", "<p>Cache manager</p>", "proxy"),
  page("web-site", 200, "Beispiel GmbH", "<p>Willkommen bei uns</p>", "not-an-api"),
  page("web-site", 200, "示例公司", "<p>欢迎光临</p>", "not-an-api"),
  page("web-site", 200, "Example Docs", "<p>Read about our API.</p>", "not-an-api"),
];
