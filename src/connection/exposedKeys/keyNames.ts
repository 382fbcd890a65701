/** Headers that carry a key, without the words in them that `isKeyName` knows by itself. */
const headerName =
  /^(?:proxy-)?authorization$|^(?:x-|xi-|ocp-apim-)?[\w-]*(?:api-?key|auth-?token|access-?token|subscription-key)$/i;

/** Last words of names whose values speak of a key and are none: `key_id`, `token_limit`. */
const otherEnds = new Set(
  (
    "id ids name names type count limit limits expires expiry expiration created updated prefix hint url uri " +
    "endpoint host scope scopes format length path file version usage model status"
  ).split(" "),
);

/** Words that make the name of something that is no secret: `public_key`, `max_token`. */
const otherWords = new Set(["public", "pub", "max", "min", "primary", "foreign", "sort"]);

const keyWord =
  /^(?:auth|pat)$|(?:key|token|secret|authorization|bearer|credentials?|password|passwd|passphrase)\d*$/;

/** Words for a key in other languages, as labels have them; alone, since pieces of keys could be like the short ones. */
const translatedWord = new RegExp(
  `^(?:${[
    "schl(?:ü|ue)ssel|\\p{L}+schl(?:ü|ue)ssel|geheimnis|cl[ée]s?|jeton|claves?|llave|secreto|chaves?|segredo|chiave|segreto",
    "sleutel|nyckel|nøgle|nøkkel|avain|kulcs|kl[íi]č|kľúč|klucz|cheie|ključ|anahtar[ıi]?|khóa|kunci|κλειδ[ίι]",
    "ключа?|токена?|секрет|מפתח|مفتاح|رمز|कुंजी|คีย์|กุญแจ",
  ].join("|")})$`,
  "iu",
);
/** The same in scripts that put no blanks between words. */
const translatedSign =
  /キー|鍵|トークン|シークレット|[密秘金][钥鑰匙]|[秘暗]密|令牌|口令|키|토큰|비밀|[\u{1F511}\u{1F5DD}]/u;

/** Whether a header of this name carries a key. */
export function isKeyHeader(name: string): boolean {
  return headerName.test(name);
}

/** Whether a variable, field, header or label of this name holds a key: `ACME_API_KEY`, `apiKey`, `Clé API`. */
export function isKeyName(name: string): boolean {
  const words = wordsOf(name);
  const last = words.at(-1) ?? "";
  if (otherEnds.has(last) || words.some((word) => otherWords.has(word))) return false;
  return translatedSign.test(name) || words.some(isKeyWord);
}

/** Whether a text speaks of a key anywhere, in one of many languages. */
export function speaksOfKey(text: string): boolean {
  return translatedSign.test(text) || wordsOf(text).some(isKeyWord);
}

function isKeyWord(word: string): boolean {
  return keyWord.test(word) || translatedWord.test(word);
}

function wordsOf(name: string): readonly string[] {
  return (
    name
      .normalize("NFKC")
      .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")
      // Scripts that put no spaces between words put none around English ones either.
      .replace(/(?<=[A-Za-z])(?=[^\p{Script=Latin}\P{L}])|(?<=[^\p{Script=Latin}\P{L}])(?=[A-Za-z])/gu, " ")
      .toLowerCase()
      .split(/[^\p{L}\p{M}\p{N}]+/u)
      .filter((word) => word !== "")
  );
}
