const mostLinks = 30;

/** The paths that a prompt's Markdown links lead to, each once; web addresses, places in the page and code are none. */
export function promptLinks(body: string): readonly string[] {
  const paths = new Set<string>();
  let fence: string | undefined;
  for (const line of body.split("\n")) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]?.slice(0, 3);
    if (mark !== undefined && (fence === undefined || fence === mark))
      fence = fence === undefined ? mark : undefined;
    else if (fence === undefined) for (const path of linksOf(line)) paths.add(path);
    if (paths.size >= mostLinks) break;
  }
  return [...paths].slice(0, mostLinks);
}

function linksOf(line: string): readonly string[] {
  return [...line.matchAll(/\]\(\s*(?:<([^<>]{1,1000})>|([^()<>\s]{1,1000}))/g)].flatMap(
    ([, angled, plain]) => {
      const path = decode(angled ?? plain ?? "").replace(/[?#].*$/, "");
      return path === "" || path.startsWith("//") || /^[a-z][a-z\d+.-]+:/i.test(path) ? [] : [path];
    },
  );
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
