/** What services put in front of their keys, which stands in help texts too. */
const knownPrefix =
  /^(?:sk|pk|rk|ak)[-_](?:(?:ant-[a-z]{2,6}\d{2}|or-v\d+|proj|svcacct|service|admin|none|live|test|demo|prod|dev|lf|bf|litellm|user|org|key|api)[-_])?|^github_pat_|^(?:tgp|dop)_v\d_|^[a-z]{1,4}\d?[-_]|^(?:nvapi|glpat|token)[-_]/i;

/** Another word in front of a key, such as the name of the service: `acmecloud-`. */
const leadingWord = /^[a-z]{5,12}[-_]/;

/** Characters that a text has by chance behind such a word: `acmecloud-chat` and the key `acmecloud-c7...`. */
const chance = 2;

/** The beginning of a key that says whose it is and nothing else, so that it is no secret. */
export interface PublicPrefix {
  readonly length: number;
  /** Where a piece of the key must reach beyond to say anything about the key. */
  readonly reach: number;
}

export function publicPrefixOf(key: string): PublicPrefix {
  const known = knownPrefix.exec(key)?.[0].length ?? 0;
  if (known > 0) return { length: known, reach: Math.min(known, key.length - 1) };
  const length = leadingWord.exec(key)?.[0].length ?? 0;
  return { length, reach: length === 0 ? 0 : Math.min(length + chance, key.length - 1) };
}
