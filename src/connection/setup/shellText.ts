/**
 * Reads commands, their options, and assignments of shells: sh, fish, cmd, PowerShell, and files such as `.env`. Each
 * reads the text once, and never throws. Only `References` replaces variables.
 */

export interface ShellCommand {
  /** The words after the name of the command, without quotes. */
  readonly words: readonly string[];
  /** Whether all quotes are closed. If not, the command is incomplete. */
  readonly isClosed: boolean;
  /** The text after the command. */
  readonly rest: string;
}

/** The word `curl` before another word of a command. Excludes comments, and sentences about curl. */
const curlStart =
  /^(?![ \t]*(?:\/\/|REM\s|::))(?:(?:(?!(?:^|[ \t])#).)*?[ \t;|&\\/])?["']?curl(?:\.exe)?["']?(?=[ \t]+(?:["'$^\\`<{%[-]|\S*[.:/]\S))/im;

/** Returns the first curl command and the text before it, or undefined. */
export function findCurl(text: string): (ShellCommand & { readonly before: string }) | undefined {
  const start = curlStart.exec(text);
  if (start === null) return undefined;
  const at = start.index + start[0].length;
  return { before: text.slice(0, at), ...readCommand(text.slice(at)) };
}

/** Reads the command at the start of a text. The first line shows which shell it is for. */
function readCommand(text: string): ShellCommand {
  const line = /.*/.exec(text)?.[0] ?? "";
  if (/\^[ \t]*$|\^"/.test(line)) return readWords(withoutCarets(text), "\\", true);
  return /`[ \t]*$/.test(line) ? readWords(text, "`", true) : readWords(text, "\\", false);
}

/** Removes the escapes of cmd. A browser that copies a request for cmd escapes its quotes too. */
function withoutCarets(text: string): string {
  const joined = text.replace(/\^[ \t]*\r?\n/g, " ");
  return joined.includes('^"') ? joined.replace(/\^(.)/gs, "$1") : joined;
}

const quotes = new Set(['"', "'"]);
const ends = new Set(["\n", ";", "|", "&"]);

/** @param doublesQuotes whether two quotes within quotes mean one */
function readWords(text: string, escape: string, doublesQuotes: boolean): ShellCommand {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  let isAnsi = false;
  const endWord = (): void => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  let at = 0;
  for (; at < text.length; at += 1) {
    const character = text.charAt(at);
    const next = text.charAt(at + 1);
    if (quote !== undefined) {
      if (character === quote && !(doublesQuotes && next === quote)) quote = undefined;
      else if (character === quote) {
        word = `${word ?? ""}${quote}`;
        at += 1;
      } else if (isEscape(character, next, quote, escape, isAnsi)) {
        const [decoded, length] = isAnsi ? decodeAnsi(text, at) : [next === "\n" ? "" : next, 2];
        word = `${word ?? ""}${decoded}`;
        at += length - 1;
      } else word = `${word ?? ""}${character}`;
      continue;
    }
    const continued = character === escape ? /^[ \t]*(?:\r?\n|$)/.exec(text.slice(at + 1, at + 80)) : null;
    if (continued !== null) at += continued[0].length;
    else if (character === escape) {
      word = `${word ?? ""}${next}`;
      at += 1;
    } else if (quotes.has(character)) {
      quote = character;
      isAnsi = character === "'" && word === "$" && !doublesQuotes;
      word = isAnsi ? "" : (word ?? "");
    } else if (ends.has(character)) break;
    else if (/\s/.test(character)) endWord();
    else if (character === "#" && word === undefined) {
      const end = text.indexOf("\n", at);
      at = (end === -1 ? text.length : end) - 1;
    } else word = `${word ?? ""}${character}`;
  }
  endWord();
  return { words, isClosed: quote === undefined, rest: text.slice(at) };
}

function isEscape(character: string, next: string, quote: string, escape: string, isAnsi: boolean): boolean {
  if (isAnsi) return character === "\\";
  if (quote !== '"') return false;
  return (
    (character === escape || character === "\\") && (next === '"' || next === escape || /[$`\n]/.test(next))
  );
}

const ansiEscapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

/** Decodes an escape in `$'...'`. Returns the text and the length of the escape. */
function decodeAnsi(text: string, at: number): readonly [string, number] {
  const code = /^\\(?:x([0-9a-f]{1,2})|u([0-9a-f]{1,4}))/i.exec(text.slice(at, at + 6));
  if (code !== null)
    return [String.fromCharCode(Number.parseInt(code[1] ?? code[2] ?? "", 16)), code[0].length];
  const next = text.charAt(at + 1);
  return [ansiEscapes[next] ?? next, 2];
}

export interface Assignment {
  readonly name: string;
  /** Undefined if its quote isn't closed. Empty if the value is the output of a command. */
  readonly value: string | undefined;
}

const anyName = String.raw`([A-Za-z_][A-Za-z0-9_]{0,79})`;
const command = String.raw`(?:(?:export|set|env|declare\s+-x|local|let|const|var|ENV|-e|-)\s+)?`;
/** `export A=b`, `$env:A = "b"`, `A: b`, `"A": "b"`, `os.environ["A"] = "b"`. */
const assigned = new RegExp(
  String.raw`^\s*${command}(?:\$env:|\$\{env:|os\.environ\[)?["']?${anyName}["'}]?\]?\s*(?:=|:(?=\s))\s*`,
  "i",
);
/** `setx A b`, `set -gx A b`, `setenv A b`. */
const spaced = new RegExp(
  String.raw`^\s*(?:setx(?:\s+/m)?|setenv|set(?:\s+--?[a-z]+){1,5}|ENV)\s+${anyName}\s+`,
  "i",
);
/** `[Environment]::SetEnvironmentVariable("A", "b")`. */
const called = new RegExp(
  String.raw`^\s*\[(?:System\.)?Environment\]::SetEnvironmentVariable\(\s*["']${anyName}["']\s*,\s*`,
  "i",
);

/** Returns the assignments of a text in their order. Comments are ignored. */
export function readAssignments(text: string): readonly Assignment[] {
  return text.split(/\r?\n|(?:&{1,2}|;)\s*(?=(?:export|set|setx)\s|\$env:)/i).flatMap(readLine);
}

function readLine(line: string): readonly Assignment[] {
  const found: Assignment[] = [];
  // `set "A=b"` quotes name and value together.
  let rest = /^\s*set\s+"([^"]*)"\s*$/i.exec(line)?.[1] ?? line;
  if (/^\s*(?:#|\/\/|REM\s|::)/i.test(rest)) return [];
  while (rest !== "" && found.length < 50) {
    const start = called.exec(rest) ?? spaced.exec(rest) ?? assigned.exec(rest);
    if (start === null) break;
    const [value, length] = readValue(rest.slice(start[0].length));
    found.push({ name: start[1] ?? "", value });
    rest = rest.slice(start[0].length + length).replace(/^\s*(?:;|&&)/, "");
  }
  return found;
}

/** Reads a value at the start of a text. Returns it with its length, including quotes. */
function readValue(text: string): readonly [string | undefined, number] {
  // A comment in the place of a value.
  if (text.startsWith("#")) return ["", text.length];
  const output = /^(?:\$\([^()]*\)|`[^`]*`)/.exec(text)?.[0];
  if (output !== undefined) return ["", output.length];
  if (/^(?:\$\(|`)/.test(text)) return ["", text.length];
  const quote = text.charAt(0);
  if (quote === '"' || quote === "'") {
    const closed = new RegExp(String.raw`^${quote}((?:\\.|[^\\${quote}])*)${quote}`).exec(text);
    if (closed === null) return [undefined, text.length];
    const inner = closed[1] ?? "";
    if (quote === "'") return [inner, closed[0].length];
    return [/^(?:\$\(|`)/.test(inner) ? "" : inner.replace(/\\(["\\$`])/g, "$1"), closed[0].length];
  }
  // Files such as `.env` also have `;`, `&` and `,` inside values. Some keys start with a number and `|`.
  const word =
    /^(?:\d{1,10}\|(?=\w{20}))?(?:(?!&&|[;&](?:\s|$)|;[A-Za-z_]\w{0,79}=)[^\s|])*/.exec(text)?.[0] ?? "";
  return [word.replace(/[,;]+$/, ""), word.length];
}

/** Replaces references to variables that the text itself sets. Only assignments that were added before count. */
export class References {
  /** Names of variables that were replaced, or have an empty value. */
  readonly used = new Set<string>();
  readonly #assignments: Assignment[] = [];
  readonly #known = new Map<string, { readonly name: string; readonly value: string }>();
  #left: number;

  /** @param maxLength maximum UTF-16 units of all replaced text */
  constructor(maxLength: number) {
    this.#left = maxLength;
  }

  /** The assignments with their references replaced. */
  get assignments(): readonly Assignment[] {
    return this.#assignments;
  }

  /** Whether the maximum is exceeded. The texts are then incomplete. */
  get isTooLong(): boolean {
    return this.#left < 0;
  }

  add(assignments: readonly Assignment[]): void {
    for (const { name, value: written } of assignments) {
      const value = written === undefined ? undefined : this.expand(written);
      this.#assignments.push({ name, value });
      const known = { name, value: value ?? "" };
      this.#known.set(name, known).set(inAnyCase(name), known);
    }
  }

  expand(text: string): string {
    return text.replace(
      /\$(?:env:)?(\w+)|\$\{(?:env:)?(\w+)\}|%(\w+)%/gi,
      (written, ...groups: readonly unknown[]) => {
        const name = groups.slice(0, 3).find((each) => typeof each === "string");
        if (typeof name !== "string") return written;
        const known = this.#known.get(/^(?:%|\$\{?env:)/i.test(written) ? inAnyCase(name) : name);
        if (known === undefined) return written;
        this.used.add(known.name);
        // The value is unknown, such as the output of a command. So the reference stays.
        if (known.value === "") return written;
        this.#left -= known.value.length;
        return this.isTooLong ? written : known.value;
      },
    );
  }
}

/** The entry for references of cmd and PowerShell, which ignore case. */
function inAnyCase(name: string): string {
  return `%${name.toUpperCase()}%`;
}

/** An option of curl by its long name, with its value or `""`. A word without an option has the name `""`. */
export interface CurlOption {
  readonly name: string;
  readonly value: string;
}

/** Options that need a value. */
const valued = new Set(
  (
    "abstract-unix-socket alt-svc aws-sigv4 cacert capath cert cert-type ciphers config connect-timeout connect-to " +
    "continue-at cookie cookie-jar create-file-mode crlfile curves data data-ascii data-binary data-raw data-urlencode " +
    "delegation dns-interface dns-ipv4-addr dns-ipv6-addr dns-servers doh-url dump-header ech egd-file engine " +
    "etag-compare etag-save expect100-timeout form form-string ftp-account ftp-alternative-to-user ftp-method ftp-port " +
    "ftp-ssl-ccc-mode happy-eyeballs-timeout-ms haproxy-clientip header hostpubmd5 hostpubsha256 hsts interface ip-tos " +
    "ipfs-gateway json keepalive-cnt keepalive-time key key-type krb libcurl limit-rate local-port login-options " +
    "mail-auth mail-from mail-rcpt max-filesize max-redirs max-time netrc-file noproxy oauth2-bearer output output-dir " +
    "parallel-max pass pinnedpubkey preproxy proto proto-default proto-redir proxy proxy-cacert proxy-capath proxy-cert " +
    "proxy-cert-type proxy-ciphers proxy-crlfile proxy-header proxy-key proxy-key-type proxy-pass proxy-pinnedpubkey " +
    "proxy-service-name proxy-tls13-ciphers proxy-tlsauthtype proxy-tlspassword proxy-tlsuser proxy-user proxy1.0 " +
    "pubkey quote postquote prequote random-file range rate referer request request-target resolve retry retry-delay " +
    "retry-max-time sasl-authzid service-name socks4 socks4a socks5 socks5-gssapi-service socks5-hostname speed-limit " +
    "speed-time stderr telnet-option tftp-blksize time-cond tls-max tls13-ciphers tlsauthtype tlspassword tlsuser trace " +
    "trace-ascii trace-config unix-socket upload-file url url-query user user-agent variable vlan-priority write-out"
  ).split(" "),
);
/** Short options that need a value. */
const valuedLetter = /[AbcCdDeEFHKmoPQrtTuUwxXyYz]/;
/** Long names of the short options that have a meaning here. */
const longNames: Readonly<Record<string, string>> = {
  A: "user-agent",
  b: "cookie",
  d: "data",
  E: "cert",
  H: "header",
  k: "insecure",
  K: "config",
  n: "netrc",
  u: "user",
  U: "proxy-user",
  x: "proxy",
  ":": "next",
};

/** Reads the words after `curl`. */
export function readCurlOptions(words: readonly string[]): readonly CurlOption[] {
  const options: CurlOption[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const long = /^--([a-z0-9.-]+)(?:=(.*))?$/s.exec(word);
    const letters = /^-([\w#:].*)$/s.exec(word)?.[1];
    const take = (name: string, isValued: boolean, attached: string | undefined): void => {
      if (isValued && attached === undefined) at += 1;
      options.push({ name, value: attached ?? (isValued ? (words[at] ?? "") : "") });
    };
    if (long !== null) take(long[1] ?? "", valued.has(long[1] ?? ""), long[2]);
    else if (letters === undefined) options.push({ name: "", value: word });
    else {
      // Letters without a value may come first, as in `-sSH`.
      const end = letters.search(valuedLetter);
      for (const letter of end === -1 ? letters : letters.slice(0, end))
        take(longNames[letter] ?? letter, false, undefined);
      const letter = letters.charAt(end);
      if (end !== -1) take(longNames[letter] ?? letter, true, letters.slice(end + 1) || undefined);
    }
  }
  return options;
}
