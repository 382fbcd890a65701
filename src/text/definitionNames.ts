/** Modifiers that may precede a definition and do not identify it. */
const modifiers =
  /^(?:(?:export|default|async|public|private|protected|internal|static|final|abstract|override|virtual|sealed|readonly|declare|open|suspend|inline|noinline|extern(?:\s+"[^"]*")?|unsafe|partial|data|local|global|pub(?:\s*\([^)]*\))?|synchronized|native|transient|volatile|mutating|nonisolated|required|lateinit|operator|infix|tailrec|explicit|constexpr|friend|template\s*<[^>]*>|@\w+(?:\([^()]*\))?)\s+)+/i;
const typeWords =
  /^(?:(?:class|struct|interface|enum(?:\s+class)?|trait|protocol|record|object|module|mod|namespace|package|union|extension|contract|library|type|typedef|defmodule|case\s+class|sealed\s+class|actor)\s+)([\p{L}\w$.:]+)/u;
const implementation = /^impl(?:\s*<[^>]*>)?\s+(.*?)\s*(?:\bwhere\b.*)?\{?$/;
const functionWords =
  /^(?:function\s*\*?|def(?:p|macro|n-?|un)?|func|fun|fn|const\s+fn|sub|proc|procedure|subroutine|defn|lambda|method|let\s+rec)\s+(?:\([^)]*?(\w+)(?:\[[^\]]*\])?\)\s*)?(self\.)?([\p{L}\w$.:!?~<>=+*/%-]+?)(?=\s*[<([{:=]|\s|$)/u;
const variable =
  /^(?:const|let|var|val|my|our|static|final|auto|dim)\s+(?:mut\s+)?([\p{L}\w$@%]+)\s*(?::[^=]*)?(?:=|:=|$|;)/iu;
const sqlObject =
  /^create\s+(?:or\s+replace\s+)?(?:temp(?:orary)?\s+|unique\s+)?(table|view|function|procedure|index|trigger|type)\s+(?:if\s+not\s+exists\s+)?([\w."`[\]]+)/i;
/** Matches exports of names that other lines of the file define. */
const exportLine = /^export\s+(?:type\s+)?(\{|default(?=\s+[\w$.]+;?$))(?!.*\bfrom\b)/;
const macro = /^#\s*define\s+(\w+)/;
/** Matches Dockerfile instructions that usually occur once per image, and named stages. */
const instruction = /^(?:(CMD|ENTRYPOINT|EXPOSE|HEALTHCHECK|WORKDIR)|FROM\s.*\s(?:AS|as)\s+(\S+))(?=\s|$)/;
const importFrom =
  /^(?:import|export)\b.*?\bfrom\s+(["'][^"']+["'])|^import\s+(["'][^"']+["'])|^from\s+(\S+)\s+import\b|^import\s+([\w.]+)\s*;?$/;
const control =
  /^(?:if|else|elif|elsif|elseif|unless|for|foreach|while|until|switch|case|catch|try|finally|do|return|throw|raise|await|yield|new|using|lock|with|match|when|synchronized|assert|delete|typeof|in|not|and|or|print|echo|super|require|include)\b/;
const call = /^((?:await\s+)?[\p{L}\w$.?!:>-]+)\s*\(\s*(["'`][^"'`]*["'`])/u;
const rubyCall =
  /^(describe|context|it|test|get|post|put|patch|delete|resources?|namespace|task)\s+(["':][^"'\s]+["']?)/;
/** Matches a Ruby class macro about one name, such as `validates :title, ...`. */
const rubyMacro = /^([a-z_]+)\s+(:\w+)(?=\s*,|\s*$)/;
const methodHead =
  /^(?:[\p{L}\w<>,.?*&[\]:~@|]+\s+)*?([\p{L}\w:]*\boperator\s*(?:\(\)|[^\s\w(]+)|[~#$]?[\p{L}\w$:~]+)\s*(?:<[^()]*>)?\s*\(/u;
const property = /^(["']?)([\p{L}\w$.@/-]+)\1\??\s*:(?=\s|$)/u;
const assignment = /^([\p{L}\w$.@[\]"']+)\s*(?::[^=]+)?(?:\|\|=|\?\?=|\?=|:=|\+?=)(?!=|>)/u;
const heading = /^#{1,6}\s+(.*)$/;
const tag = /^<([a-zA-Z][\w.:-]*)((?:\s[^>]*)?)>?/;

/** The definition that a line begins. Its name stays the same when the rest of the line changes. */
export interface Definition {
  readonly name: string;
  /** Whether the definition is complete by itself: a function, type, rule or test. */
  readonly isWhole: boolean;
}

/** @param opensBlock whether a body follows, on further lines or in braces */
export function readDefinition(line: string, opensBlock: boolean): Definition | undefined {
  if (line.length > 1000) return undefined;
  const exported = exportLine.exec(line.trim())?.[1];
  if (exported !== undefined) return { name: `export ${exported}`, isWhole: false };
  const code = line.trim().replace(modifiers, "");
  return (
    readNamed(code) ??
    readImport(code) ??
    (control.test(code) ? readControl(code) : (readCall(code, opensBlock) ?? readMember(code, opensBlock)))
  );
}

function readNamed(code: string): Definition | undefined {
  const type = typeWords.exec(code)?.[1];
  if (type !== undefined) return { name: `type ${type}`, isWhole: true };
  const implemented = implementation.exec(code)?.[1];
  if (implemented !== undefined) return { name: `impl ${implemented}`, isWhole: true };
  const [, receiver = "", own = "", named] = functionWords.exec(code) ?? [];
  if (named !== undefined) return { name: `${receiver && `${receiver}.`}${own}${named}`, isWhole: true };
  const object = sqlObject.exec(code);
  if (object !== null) return { name: `${object[1]?.toLowerCase()} ${object[2]}`, isWhole: true };
  const constant = macro.exec(code)?.[1];
  if (constant !== undefined) return { name: constant, isWhole: false };
  const [, step, stage] = instruction.exec(code) ?? [];
  if (step !== undefined || stage !== undefined) {
    return { name: stage === undefined ? `${step} ` : `stage ${stage}`, isWhole: false };
  }
  const assigned = variable.exec(code)?.[1];
  if (assigned === undefined) return undefined;
  return {
    name: assigned,
    isWhole: /=>|\bfunction\b|=\s*(?:async\s+)?\(?\s*(?:class|fn|fun|lambda)\b/.test(code),
  };
}

function readImport(code: string): Definition | undefined {
  const from = importFrom
    .exec(code)
    ?.slice(1)
    .find((part) => part !== undefined);
  return from === undefined ? undefined : { name: `import ${from}`, isWhole: false };
}

/** Identifies `return`, `default` and `finally` by the keyword alone, because a block usually has only one of each. */
function readControl(code: string): Definition | undefined {
  const word = /^(?:return|default|finally)\b/.exec(code)?.[0];
  return word === undefined ? undefined : { name: `${word} `, isWhole: false };
}

/** Identifies calls such as `test("adds", () => {` and `app.get("/x", ...)` by their first string. */
function readCall(code: string, opensBlock: boolean): Definition | undefined {
  const said = rubyCall.test(code) ? null : rubyMacro.exec(code);
  if (said !== null) return { name: `${said[1]}(${said[2]}`, isWhole: false };
  const found = call.exec(code) ?? rubyCall.exec(code);
  return found === null ? undefined : { name: `${found[1]}(${found[2]}`, isWhole: opensBlock };
}

function readMember(code: string, opensBlock: boolean): Definition | undefined {
  const title = heading.exec(code)?.[1];
  if (title !== undefined) return { name: `# ${title}`, isWhole: true };
  const element = tag.exec(code);
  if (element !== null) {
    const id = /\b(?:id|name|key)=("[^"]*"|'[^']*')/.exec(element[2] ?? "")?.[1] ?? "";
    return { name: `<${element[1]} ${id}`, isWhole: false };
  }
  // A call with an object argument opens no block.
  const isCall = /\{.*\)[;,]?$/.test(code);
  const method =
    opensBlock && !isCall && !/=>|^\S+\s*\(.*\bfunction\b/.test(code)
      ? methodHead.exec(code)?.[1]
      : undefined;
  if (method !== undefined && !/^[\w.]+\s*=/.test(code)) return { name: method, isWhole: true };
  const key = property.exec(code)?.[2];
  if (key !== undefined) return { name: key, isWhole: opensBlock && /=>|\bfunction\b|\{\s*$/.test(code) };
  const assigned = assignment.exec(code)?.[1];
  if (assigned !== undefined) return { name: assigned, isWhole: /=>|\bfunction\b|\blambda\b/.test(code) };
  const brace = code.indexOf("{");
  const ahead = brace > 0 && opensBlock && !isCall ? code.slice(0, brace).trim() : "";
  return ahead === "" || ahead.includes("=>") ? undefined : { name: `${ahead} {`, isWhole: true };
}
