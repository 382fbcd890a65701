import { createRequire } from "node:module";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { brotliCompressSync } from "node:zlib";
import type { OnLoadResult, Plugin } from "esbuild";

const require = createRequire(import.meta.url);

/** In place of a class or function that is never reached; if it is, the error says what was left out. */
const refuse = (path: string): string =>
  `function () { throw new Error(${JSON.stringify(`${basename(path)} is left out of this build`)}); }`;

const replaceUndiciPart = (path: string): OnLoadResult | undefined => {
  switch (basename(path)) {
    // HTTP/2 and SOCKS are not offered.
    case "client-h2.js":
    case "socks5-proxy-agent.js":
      return { contents: `module.exports = ${refuse(path)};` };
    // Read for a body that is a form, and ours are text. With it go the parts of fetch that it stands on.
    case "body.js":
      return { contents: `exports.extractBody = ${refuse(path)};` };
    // The client reads these two of some thirty tables.
    case "constants.js": {
      const { ERROR, TYPE }: Readonly<Record<string, unknown>> = require(path);
      return { contents: `module.exports = ${JSON.stringify({ ERROR, TYPE })};` };
    }
    // Every extension of the host could listen to these, and hear each request's headers with the key.
    case "diagnostics.js": {
      const { channels }: Readonly<Record<string, object>> = require(path);
      const names = JSON.stringify(Object.keys(channels ?? {}));
      return {
        contents: `
          const silent = { hasSubscribers: false, publish() {} };
          exports.channels = Object.fromEntries(${names}.map((name) => [name, silent]));
        `,
      };
    }
    default:
      return undefined;
  }
};

/** Parts of undici that never run here, which were a sixth of the package, or are not to run. */
export const withoutUnusedUndici: Plugin = {
  name: "without-unused-undici",
  setup(bundle) {
    // Of the two builds of its parser one is enough.
    bundle.onResolve({ filter: /\/llhttp_simd-wasm\.js$/ }, ({ resolveDir, kind }) =>
      bundle.resolve("../llhttp/llhttp-wasm.js", { resolveDir, kind }),
    );
    bundle.onLoad(
      {
        filter:
          /[\\/]undici[\\/]lib[\\/](dispatcher[\\/](client-h2|socks5-proxy-agent)|web[\\/]fetch[\\/]body|core[\\/]diagnostics|llhttp[\\/]constants)\.js$/,
      },
      ({ path }) => replaceUndiciPart(path),
    );
  },
};

/**
 * undici's parser as a file of its own, read with the first connection: as a text inside the code it
 * is a third larger, and the package compresses it badly.
 */
export const parserAsFile: Plugin = {
  name: "parser-as-file",
  setup(bundle) {
    // undici requires the bytes, and only a module can tell where it stands: so the one goes by the other.
    bundle.onLoad({ filter: /[\\/]llhttp-wasm\.js$/ }, ({ path }) => ({
      contents: `module.exports = require("parser:read").bytes;`,
      pluginData: path,
    }));
    bundle.onResolve({ filter: /^parser:/ }, ({ path, pluginData }) => ({
      path: path.replace("parser:", ""),
      namespace: "parser",
      pluginData,
    }));
    bundle.onLoad({ filter: /^read$/, namespace: "parser" }, ({ pluginData }) => ({
      contents: `
        import { readFileSync } from "node:fs";
        import { brotliDecompressSync } from "node:zlib";
        import file from "parser:llhttp.br";
        export const bytes = brotliDecompressSync(readFileSync(new URL(file, import.meta.url)));
      `,
      pluginData,
    }));
    bundle.onLoad({ filter: /^llhttp\.br$/, namespace: "parser" }, ({ pluginData }) => {
      const contents: unknown = require(String(pluginData));
      return contents instanceof Uint8Array
        ? { contents: brotliCompressSync(contents), loader: "file" }
        : undefined;
    });
  },
};

/**
 * Lets undici, which is CommonJS, ask for Node's own modules by `require`, which the bundler's ES modules have
 * not: here, and not by a line at the head of every file.
 */
export const requireOfNode: Plugin = {
  name: "require-of-node",
  setup(bundle) {
    bundle.onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === "require-call" ? { path, namespace: "required" } : undefined,
    );
    bundle.onLoad({ filter: /^node:/, namespace: "required" }, ({ path }) => ({
      contents: `module.exports = require("required:require").require(${JSON.stringify(path)});`,
    }));
    bundle.onResolve({ filter: /^required:/ }, () => ({ path: "require", namespace: "required" }));
    bundle.onLoad({ filter: /^require$/, namespace: "required" }, () => ({
      contents: `
        import { createRequire } from "node:module";
        export const require = createRequire(import.meta.url);
      `,
    }));
  },
};

/** As `{ hasOwnProperty }`, which is all that the mode asks of its lists. */
const everyWord = "{ hasOwnProperty: () => true }";
const everyWordButColors = "{ hasOwnProperty: (word) => !colorKeywords.hasOwnProperty(word) }";

const nestedBlock = `override === "property" ? "maybeprop" : "block"`;

/**
 * Where a property stands in CSS each word is one, and likewise a value: the lists of all there are were a third of all
 * modes, and lack what is new. Where rules are nested the colon tells a property from a selector.
 */
function withoutWordsOfCss(source: string, path: string): string {
  const unlisted = source
    .replace(/^var allWords = [^]*?^export const keywords = [^]*?\}$/m, "const allWords = [];")
    .replace(
      /(override = stream\.match\([^\n]*\) \? "property" : "tag";\s*return )"block"/,
      `$1${nestedBlock}`,
    );
  const [before, ...modes] = unlisted.split(/(?=^export const \w+ = mkCSS)/m);
  if (
    before === undefined ||
    modes.length < 3 ||
    !/allWords = \[\]/.test(before) ||
    !before.includes(nestedBlock)
  )
    throw new Error(`${path} is not as it was`);
  const named = /\b(property|nonStandardProperty|value)Keywords: \1Keywords\b/g;
  const [properties, values] = [`propertyKeywords: ${everyWord}`, `valueKeywords: ${everyWordButColors}`];
  const replace = (text: string, property: string): string =>
    text.replaceAll(named, (_, list: string) =>
      list === "property" ? property : list === "value" ? values : "nonStandardPropertyKeywords: {}",
    );
  return [replace(before, properties), ...modes.map((mode) => replace(mode, "propertyKeywords: {}"))].join(
    "",
  );
}

/** Hundreds of nginx's directives are words joined by underscores, as hardly anything else is; the others stay listed. */
function withoutDirectivesOfNginx(source: string, path: string): string {
  const list = /^var keywords = words\(([^]*?)\n\);$/m;
  const [, listed = ""] = list.exec(source) ?? [];
  const plain = listed.match(/(?<=[" ])[a-z]+(?=[" ])/g) ?? [];
  if (plain.length < 20) throw new Error(`${path} is not as it was`);
  const joined = "/^[a-z]+(?:_[a-z0-9]+)+$/.test(word)";
  const keywords = `{ propertyIsEnumerable: (word) => ${joined} || plain.propertyIsEnumerable(word) }`;
  return source.replace(list, `var plain = words("${plain.join(" ")}"), keywords = ${keywords};`);
}

/** What a mode is read as, where that is not as it is written. */
const rewrittenModes: Readonly<Record<string, (source: string, path: string) => string>> = {
  "css.js": withoutWordsOfCss,
  "nginx.js": withoutDirectivesOfNginx,
};

/** The modes are made by calls, of which only those are kept whose language is offered. */
export const withoutUnusedModes: Plugin = {
  name: "without-unused-modes",
  setup(bundle) {
    bundle.onLoad({ filter: /[\\/]legacy-modes[\\/]mode[\\/][\w-]+\.js$/ }, async ({ path }) => {
      const whole = await readFile(path, "utf8");
      const source = rewrittenModes[basename(path)]?.(whole, path) ?? whole;
      const pure = source.replaceAll(
        /^(?:export )?function (?:sql|set|mkCSS|keySet|clike|words|mkJavaScript|mlLike|mkPython|mkXML)\(/gm,
        "/* @__NO_SIDE_EFFECTS__ */ $&",
      );
      // Words that are joined by `+` count as a side effect of their own, unless the whole is a call.
      const wrapped = /^(export const \w+ = )(\w+\(\{\n[^]*?^\}\));?$/gm;
      return { contents: pure.replaceAll(wrapped, "$1/* @__PURE__ */ (() => $2)();") };
    });
  },
};

const usedOfMarked = new Set(["Lexer", "Parser", "Renderer", "Tokenizer"]);

/**
 * The Markdown parser's last tenth keeps settings, hooks and extensions for those who call it as a whole; the page has
 * its lexer, tokenizer, parser and renderer. Throws where a version of it is not written like the one that is locked.
 */
export const withoutUnusedMarked: Plugin = {
  name: "without-unused-marked",
  setup(bundle) {
    bundle.onLoad({ filter: /[\\/]marked\.esm\.js$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      const end = source.search(/var \w+=class\{options;block;/);
      const [, exported = ""] = /export\{([^}]*)\};/.exec(source.slice(end)) ?? [];
      const used = exported.split(",").filter((each) => usedOfMarked.has(each.split(" as ")[1] ?? ""));
      if (end < 0 || used.length !== usedOfMarked.size) throw new Error(`${path} is not as it was`);
      // With options that nobody sets goes what they would want of it.
      const kept = source
        .slice(0, end)
        .replaceAll(/this\.options\.(?:pedantic|breaks|silent)\b/g, "false")
        .replaceAll(/this\.options\.(?:extensions|hooks)\b/g, "undefined");
      return { contents: `${kept}export{${used.join(",")}};` };
    });
  },
};
