import {
  c,
  clike,
  cpp,
  csharp,
  dart,
  java,
  kotlin,
  objectiveC,
  scala,
} from "@codemirror/legacy-modes/mode/clike";
import { cmake } from "@codemirror/legacy-modes/mode/cmake";
import { css, less, sCSS } from "@codemirror/legacy-modes/mode/css";
import { diff } from "@codemirror/legacy-modes/mode/diff";
import { dockerFile } from "@codemirror/legacy-modes/mode/dockerfile";
import { go } from "@codemirror/legacy-modes/mode/go";
import { groovy } from "@codemirror/legacy-modes/mode/groovy";
import { haskell } from "@codemirror/legacy-modes/mode/haskell";
import { http } from "@codemirror/legacy-modes/mode/http";
import { javascript, json, typescript } from "@codemirror/legacy-modes/mode/javascript";
import { julia } from "@codemirror/legacy-modes/mode/julia";
import { lua } from "@codemirror/legacy-modes/mode/lua";
import { fSharp, oCaml } from "@codemirror/legacy-modes/mode/mllike";
import { nginx } from "@codemirror/legacy-modes/mode/nginx";
import { perl } from "@codemirror/legacy-modes/mode/perl";
import { powerShell } from "@codemirror/legacy-modes/mode/powershell";
import { properties } from "@codemirror/legacy-modes/mode/properties";
import { protobuf } from "@codemirror/legacy-modes/mode/protobuf";
import { python } from "@codemirror/legacy-modes/mode/python";
import { r } from "@codemirror/legacy-modes/mode/r";
import { ruby } from "@codemirror/legacy-modes/mode/ruby";
import { rust } from "@codemirror/legacy-modes/mode/rust";
import { shell } from "@codemirror/legacy-modes/mode/shell";
import { standardSQL } from "@codemirror/legacy-modes/mode/sql";
import { swift } from "@codemirror/legacy-modes/mode/swift";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { html, xml } from "@codemirror/legacy-modes/mode/xml";
import { yaml } from "@codemirror/legacy-modes/mode/yaml";
import type { StringStream, StreamParser } from "@codemirror/streamparser";

const words = (text: string): Record<string, boolean> =>
  Object.fromEntries(text.split(" ").map((word) => [word, true]));

/** `@codemirror/legacy-modes` has no PHP mode. */
const php = clike({
  name: "php",
  keywords: words(
    "abstract and as break case catch class clone const continue declare default do echo else elseif enum extends final finally fn for foreach function global goto if implements include include_once instanceof interface insteadof isset list match namespace new or print private protected public readonly require require_once return self static switch throw trait try unset use while xor yield",
  ),
  types: words("array bool callable float int iterable mixed never object string void"),
  blockKeywords: words("catch do else elseif for foreach if switch try while finally"),
  atoms: words("true false null TRUE FALSE NULL"),
  multiLineStrings: true,
  hooks: {
    $: (stream: StringStream) => {
      stream.eatWhile(/\w/);
      return "variableName.special";
    },
    "#": (stream: StringStream) => {
      stream.skipToEnd();
      return "comment";
    },
    "<": (stream: StringStream) => (stream.match(/^\?(?:php|=)?/) ? "meta" : "operator"),
    "?": (stream: StringStream) => (stream.eat(">") ? "meta" : "operator"),
  },
});

/** Parsers by the language names of fences, in lower case. */
const parsers: readonly (readonly [names: string, parser: StreamParser<unknown>])[] = [
  ["c h", c],
  ["c++ cpp cc cxx hpp hh ino arduino", cpp],
  ["c# cs csharp", csharp],
  ["cmake", cmake],
  ["css", css],
  ["dart", dart],
  ["diff patch", diff],
  ["docker dockerfile containerfile", dockerFile],
  ["f# fs fsharp", fSharp],
  ["go golang", go],
  ["gradle groovy", groovy],
  ["haskell hs", haskell],
  ["htm html svelte vue", html],
  ["http", http],
  ["cfg conf dotenv env ini properties", properties],
  ["java", java],
  ["cjs javascript js jsx mjs node", javascript],
  ["json json5 jsonc jsonl", json],
  ["jl julia", julia],
  ["kotlin kt kts", kotlin],
  ["less", less],
  ["lua", lua],
  ["nginx", nginx],
  ["objc objective-c objectivec", objectiveC],
  ["ml ocaml", oCaml],
  ["perl pl", perl],
  ["php", php],
  ["powershell ps1 pwsh", powerShell],
  ["proto protobuf", protobuf],
  ["py python python3", python],
  ["r", r],
  ["rb ruby", ruby],
  ["rs rust", rust],
  ["scala", scala],
  ["scss", sCSS],
  ["bash console fish sh shell shell-session shellscript terminal zsh", shell],
  ["mysql plpgsql postgres postgresql sql sqlite tsql", standardSQL],
  ["swift", swift],
  ["toml", toml],
  ["cts mts ts tsx typescript", typescript],
  ["atom plist rss svg xaml xhtml xml xsl", xml],
  ["yaml yml", yaml],
];

const byName = new Map(parsers.flatMap(([names, parser]) => names.split(" ").map((name) => [name, parser])));

/** The parser for a language name in lower case; undefined if there is none. */
export function parserOf(language: string): StreamParser<unknown> | undefined {
  return byName.get(language);
}
