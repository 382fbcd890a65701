/** What a page in the place of an answer is. */
export type PageKind = "sign-in" | "blocked" | "gateway-error" | "web-site";

/** Pages come in the language of those they are meant for. */
const blocked =
  /captcha|just a moment|verifying you are human|attention required|access denied|restrict access|blocked|zugriff verweigert|blockiert|gesperrt|accès refusé|bloqué|acceso denegado|acesso negado|bloquead|访问被拒绝|拦截|アクセスが拒否|ブロックされ|접근이? ?(?:거부|차단)|доступ запрещ|заблокирован/i;

const signIn =
  /type=["']?password|log ?[io]n\b|sign ?[io]n\b|single sign|captive portal|connect to the internet|anmeld|einloggen|portail captif|connectez-vous|vous connecter|se connecter|inici(?:ar|e) sesi[oó]n|fa(?:zer|ça) login|登录|登陆|ログイン|サインイン|로그인|войдите|авторизац/i;

const gatewayError =
  /^\s*(?:error |fehler |erreur |erro )?[45]\d\d\b|gateway|error|cannot (?:get|post)|could not be retrieved|not found|nicht gefunden|introuvable|no encontrad|não encontrad|不存在|未找到|找不到|見つかりません|찾을 수 없|не найден/i;

/** The text of the page's title; undefined where there is none. */
export function readPageTitle(page: string): string | undefined {
  return /<title[^>]*>([^<]*)/i.exec(page)?.[1]?.trim();
}

/** Names what a page is, by its words and its title. */
export function readPageKind(page: string, status?: number): PageKind {
  // A proxy that wants a login says so by its status.
  if (status === 407) return "sign-in";
  if (blocked.test(page)) return "blocked";
  if (signIn.test(page)) return "sign-in";
  const title = readPageTitle(page) ?? "";
  return gatewayError.test(title === "" ? page : title) ? "gateway-error" : "web-site";
}
