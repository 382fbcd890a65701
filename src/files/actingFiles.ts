import { compileTable } from "./globPattern.ts";
import { mayHaveShortName, plainForms } from "./plainPath.ts";

/** Folders with files that tools act on, at any depth. */
const folders = {
  git: ".git .githooks .husky .lefthook .jj",
  editors: ".vscode .devcontainer .idea .fleet .zed .theia .vim .nvim .emacs.d",
  assistants:
    ".claude .cursor .windsurf .clinerules .roo .kilocode .continue .codeium .codex .gemini .kiro .augment .trae " +
    ".junie .amazonq .opencode .qodo .goose .crush .agents",
  buildServers: ".circleci .buildkite .gitea .forgejo .woodpecker .tekton .teamcity .semaphore .gitlab",
  packageManagers: ".cargo .yarn .mvn .bundle .storybook",
} as const;

const script = "{js,cjs,mjs,ts,cts,mts}";
const setting = "{js,cjs,mjs,ts,cts,mts,json,jsonc,json5,yaml,yml,toml}";

/**
 * Tools with scripts as configuration, such as `eslint.config.mjs`. Excludes `app.config.ts`, which is the
 * application's own code.
 */
const configured = [
  // Linters, formatters and commit hooks.
  "eslint,prettier,stylelint,commitlint,lint-staged,simple-git-hooks,knip,oxlint,textlint,remark,markdownlint",
  // Bundlers and compilers.
  "vite,webpack,babel,rollup,rolldown,rspack,rsbuild,rslib,esbuild,tsup,tsdown,build,bunup,parcel,metro,snowpack,swc,craco,microbundle",
  "postcss,tailwind,uno,unocss,panda,windi,svgo,svgr,electron.vite,forge,electron-builder,wxt",
  // Frameworks.
  "next,nuxt,svelte,astro,remix,react-router,vue,gatsby,docusaurus,vitepress,quasar,nitro,vinxi,solid,qwik,ember,expo,react-native,sanity",
  // Tests.
  "jest,vitest,playwright,cypress,karma,wdio,nightwatch,ava,mocha,protractor,testem,stryker,cucumber,codecept,web-test-runner",
  // Generators and releases.
  "graphql,codegen,drizzle,prisma,orval,openapi-ts,release,semantic-release,changelog,i18next-parser,sst,serverless,contentlayer",
].join(",");

const ofLinters =
  "eslintrc,prettierrc,stylelintrc,babelrc,swcrc,mocharc,nycrc,c8rc,postcssrc,lintstagedrc,huskyrc,commitlintrc," +
  "releaserc,simple-git-hooks,markdownlint-cli2,textlintrc,remarkrc,parcelrc,graphqlrc,czrc,dependency-cruiser,pnpmfile,ncurc";

/** Globs for names of files that run, configure what runs, or instruct an assistant. */
const files = {
  shells: [
    ".{bash,zsh,ksh,mksh,csh,tcsh}rc",
    ".{bash,zsh}_{profile,login,logout,aliases,functions}",
    ".{profile,login,logout,zprofile,zshenv,zlogin,zlogout,inputrc,xprofile,xinitrc,xsession,xsessionrc,aliases,pam_environment}",
    "{config.fish,*profile.ps1,autorun.inf,crontab,*.crontab,authorized_keys}",
    "{.vimrc,.exrc,.nvimrc,.gvimrc,.emacs,.dir-locals.el,.gdbinit,.lldbinit,.pythonrc,.pdbrc,.irbrc,.pryrc,.rprofile,.screenrc,.tmux.conf}",
    "{.envrc,.envrc.*,.mise.toml,mise.toml,.mise.local.toml,mise.local.toml,.tool-versions,.autoenv,.autoenv.zsh}",
  ],
  git: [
    // Ignored files are kept from the model.
    "{.gitignore,.gitattributes,.gitconfig,.gitmodules,.lfsconfig}",
    ".pre-commit-{config,hooks}.{yaml,yml}",
    "{,.}lefthook{,-local}.{yml,yaml,toml,json}",
    ".overcommit.yml",
  ],
  assistants: [
    ".{cursor,windsurf,cline,roo,kilocode,aider,goose,augment,codeium,continue}{rules,hints}{,-*,.*}",
    "{.roomodes,.rules,.aider.conf.yml,.aider.conf.yaml,.continuerc.json,*.mdc}",
    "{agents,agent,claude,gemini,qwen,codex,crush,warp,skill}{,.local,.override}.md",
    "copilot-instructions.md",
    "{,.}mcp{,_settings,_config,-config,.local}.json",
    "{cline_mcp_settings,claude_desktop_config}.json",
    "{,.}opencode.{json,jsonc}",
    "*.{prompt,instructions,chatmode,agent}.md",
  ],
  editors: [
    "*.{code-workspace,sublime-project,sublime-build,code-profile}",
    "{devcontainer.json,.devcontainer.json,.gitpod.yml,.gitpod.dockerfile,.replit,launch.vs.json,tasks.vs.json}",
  ],
  buildServers: [
    "{,.}gitlab-ci.{yml,yaml}",
    "*.gitlab-ci.{yml,yaml}",
    "{.travis,.drone,.cirrus,.appveyor,appveyor,bitbucket-pipelines,.woodpecker,wercker,codemagic,buildspec,cloudbuild}.{yml,yaml}",
    "{azure-pipelines*,action}.{yml,yaml}",
    "{jenkinsfile,jenkinsfile.*,*.jenkinsfile,netlify.toml,procfile}",
  ],
  packageManagers: [
    "{.npmrc,.yarnrc,.yarnrc.yml,.yarnrc.yaml,.pnpmfile.cjs,.pnpmfile.mjs,pnpmfile.js,bunfig.toml,.bunfig.toml,pip.conf,pip.ini,.pypirc}",
    "{package,composer,deno}.json",
    "{deno.jsonc,pyproject.toml,cargo.toml,binding.gyp}",
    "{gemfile,*.gemspec,podfile,*.podspec,package.swift,mix.exs,build.rs,build.zig,build.sbt,setup.hs,rebar.config,nuget.config}",
  ],
  builds: [
    "{,gnu}makefile{,.*}",
    "{*.mk,justfile,.justfile,taskfile.{yml,yaml},taskfile.dist.{yml,yaml},rakefile,guardfile,capfile,dangerfile,dangerfile.*}",
    "{cmakelists.txt,*.cmake,cmakepresets.json,cmakeuserpresets.json,meson.build,configure,configure.ac,autogen.sh,bootstrap.sh}",
    "{build.gradle,settings.gradle,init.gradle,*.gradle.kts,gradlew,gradlew.bat,mvnw,mvnw.cmd,build.sc,build.xml}",
    "{pom.xml,*.csproj,*.targets,*.props,angular.json,nx.json,project.json}",
    "{dockerfile,dockerfile.*,docker-compose*.{yml,yaml},compose.{yml,yaml}}",
    "{*.bzl,build.bazel,module.bazel,workspace.bazel,.bazelrc,.buckconfig}",
    "{directory.build.rsp,build.cake}",
    "{vagrantfile,tiltfile,flake.nix,shell.nix,default.nix,devenv.nix,sconstruct,sconscript,wscript}",
  ],
  python: [
    "{setup.py,setup.cfg,conftest.py,noxfile.py,fabfile.py,dodo.py,hatch_build.py,sitecustomize.py,usercustomize.py,*.pth}",
    "{tox.ini,pytest.ini,.pytest.ini,.pylintrc,pylintrc,ipython_config.py,jupyter_*_config.py}",
  ],
  lintersAndTests: [
    `{${configured}}.{config,conf,setup,workspace}.${setting}`,
    `{${configured}}.config.*.${script}`,
    `{${configured}}.*.config.${script}`,
    `webpack.*.${script}`,
    `gatsby-{config,node,browser,ssr}.${script}`,
    `.{${ofLinters}}{,.${setting}}`,
    `.vscode-test{,.*}.${setting}`,
    `{gulpfile,gruntfile,jakefile}{,.babel}.${script}`,
    "{vue,craco,karma}.conf{,ig}.js",
    "{phpunit.xml,phpunit.xml.dist,.php-cs-fixer.php,.php-cs-fixer.dist.php,.php_cs,rector.php,phpstan.neon,phpstan.neon.dist}",
    "{.rubocop.yml,.rspec,.simplecov,.credo.exs,.formatter.exs,.golangci.yml,.golangci.yaml,.golangci.toml,.golangci.json}",
    "{.solhint.json,nodemon.json,renovate.json,renovate.json5,.renovaterc,.renovaterc.json}",
  ],
} as const;

/** Folders in `.github` with files that trigger actions. The other files in `.github` are for people. */
const inGithub = new Set([
  "workflows",
  "actions",
  "prompts",
  "instructions",
  "agents",
  "chatmodes",
  "hooks",
  "skills",
]);

const actingFolders: ReadonlySet<string> = new Set(
  Object.values(folders).flatMap((names) => names.split(" ")),
);
const isOfActingFile = compileTable(Object.values(files).flat());

/**
 * Whether a file can cause actions without confirmation: it runs, configures what runs, or instructs an assistant. Ask
 * the user before an answer writes such a file.
 * @param path a path with `/`
 */
export function isActingFile(path: string): boolean {
  return mayHaveShortName(path) || plainForms(path).some(isActingForm);
}

function isActingForm(form: string): boolean {
  const parts = form.split("/");
  const name = parts.at(-1) ?? "";
  return (
    parts.some(
      (part, index) =>
        actingFolders.has(part) || (part === ".github" && inGithub.has(parts[index + 1] ?? "")),
    ) || isOfActingFile(name)
  );
}

/** Whether a path leads into the folder of a Git repository, or to the file that names this folder. */
export function isGitPath(path: string): boolean {
  return plainForms(path).some((form) => /(?:^|\/)(?:\.git|git~\d+)(?:\/|$)/.test(form));
}
