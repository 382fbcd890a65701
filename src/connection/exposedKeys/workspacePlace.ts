/**
 * Where a workspace lies, short enough to be shown and without the user's name: below the home folder
 * `~/work/acme`, else its last two folders, of another machine with that machine's name.
 * @param uri of the folder or workspace file
 * @param home the home folder's path, `/` between its parts
 */
export function workspacePlace(uri: string, home: string): string | undefined {
  const url = URL.parse(uri);
  if (url === null) return undefined;
  const path = decoded(url.pathname);
  if (url.protocol === "file:") {
    const inHome = pathBelow(withSmallDrive(path.replace(/^\/(?=[a-z]:)/i, "")), withSmallDrive(home));
    if (inHome !== undefined) return inHome === "" ? "~" : `~/${inHome}`;
  }
  const end = path.split("/").filter(Boolean).slice(-2).join("/");
  return url.host === "" ? `…/${end}` : `${decoded(url.host)}: …/${end}`;
}

function pathBelow(path: string, home: string): string | undefined {
  const folder = home.replace(/\/+$/, "");
  if (folder === "") return undefined;
  if (path === folder) return "";
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : undefined;
}

/** Windows writes the letter of a drive large, and the editor small. */
function withSmallDrive(path: string): string {
  return path.replace(/^[A-Z]:/, (drive) => drive.toLowerCase());
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
