/** What editors, git, assistants and other tools act on by themselves: folders with all that is in them, and files. */
const acting = new Set(
  [
    ".git .githooks .husky .vscode .devcontainer .circleci .idea .cargo .claude .cursor",
    ".envrc .gitattributes .gitconfig .gitmodules .npmrc .yarnrc .yarnrc.yml",
    ".bashrc .bash_profile .profile .zshrc .zshenv",
    ".gitlab-ci.yml .pre-commit-config.yaml lefthook.yml .mcp.json",
    "agents.md claude.md gemini.md copilot-instructions.md",
  ].flatMap((names) => names.split(" ")),
);

const inGithub = new Set(["workflows", "actions", "prompts", "instructions", "agents", "chatmodes", "hooks"]);
const endings = /\.(?:code-workspace|prompt\.md|instructions\.md)$/;

/**
 * Whether a file can have something done without a further word: its text runs, sets what runs, or instructs an
 * assistant. What an answer would write there is to be asked about.
 *
 * @param path with `/`
 */
export function isActingFile(path: string): boolean {
  const parts = path.split("/").map(withoutDisguise);
  return (
    parts.some(
      (part, index) => acting.has(part) || (part === ".github" && inGithub.has(parts[index + 1] ?? "")),
    ) || endings.test(parts.at(-1) ?? "")
  );
}

/** Some file systems tell neither cases nor likenesses of letters apart, or drop what ends a name. */
function withoutDisguise(part: string): string {
  return part
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[. ]+$/, "");
}
