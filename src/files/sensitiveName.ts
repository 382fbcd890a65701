import { compileTable } from "./globPattern.ts";
import { mayHaveShortName, plainForms } from "./plainPath.ts";

const settingsEndings = "{json,json5,yml,yaml,toml,ini,env,properties,txt,cfg,conf,csv,xml,plist}";

/** Globs for names of files that hold keys or passwords, by purpose. */
const names = {
  environment: [
    ".env",
    ".env.*",
    ".env-*",
    "*.env",
    "*.env.{local,prod,production,bak,backup,old,orig,save}",
    ".envrc",
  ],
  developerSettings: [".dev.vars", ".dev.vars.*", "local.settings.json", "appsettings.{secrets,local}.json"],
  privateKeys: [
    "*.{pem,key,p12,pfx,p8,pkcs12,jks,jceks,bks,keystore,keychain,keychain-db,ppk,asc,gpg,pgp,ovpn,agekey}",
    "*.{kdb,kdbx,psafe3,1pif,agilekeychain}",
    "*id_{rsa,dsa,ecdsa,ed25519,ecdsa_sk,ed25519_sk}",
    "ssh_host_*_key",
    "{private,priv}{,-,_}key{,.der,.txt,.json}",
    "wg[0-9]*.conf",
  ],
  infrastructure: [
    "*.tfstate",
    "*.tfstate.*",
    "*.tfvars",
    "*.tfvars.json",
    "{.terraformrc,terraform.rc,credentials.tfrc.json}",
    "{.,}vault{-,_,}{pass,password,token}{,.txt}",
    "{kubeconfig,*.kubeconfig,kubeconfig.*}",
    "{.dockercfg,.dockerconfigjson,dockerconfig.json}",
  ],
  accounts: [
    `{.,}{,aws,gcp,gcloud,azure,git,docker,google,s3,db}{,-,_}credential{,s}{,.db,.bak,.enc,.${settingsEndings}}`,
    `{secret,secrets,.secret,.secrets}{,.*,-*,_*}.${settingsEndings}`,
    `{.,}{password,passwords,passwd,apikey,apikeys,api-key,api-keys,api_key,api_keys}{,.${settingsEndings}}`,
    "{.secret,.secrets,secret,secrets}",
    "{client_secret,service-account,service_account,serviceaccount,application_default_credentials}*.json",
    "*{firebase-adminsdk,service-account-key,service_account_key}*.json",
    "{.s3cfg,.boto,.passwd-s3fs,.rclone.conf,rclone.conf,rootkey.csv,accesskeys.csv,*_accesskeys.csv}",
    "{azureprofile.json,accesstokens.json,msal_token_cache.*,*.publishsettings,*.azureauth}",
    "{.databrickscfg,kaggle.json,.git-credentials,.vault-token}",
  ],
  packageManagers: ["{.npmrc,.pypirc,.netrc,_netrc,gem_credentials,settings-security.xml}"],
  databasesAndServers: [
    "{.pgpass,pgpass.conf,.my.cnf,.mylogin.cnf,.htpasswd,htpasswd,.htdigest,.dbshell,shadow,gshadow}",
    "{wp-config.php,.ftpconfig,.ftppass,sftp-config.json,sftp.json,sitemanager.xml,recentservers.xml}",
    "{.msmtprc,.esmtprc,.fetchmailrc,.muttrc}",
  ],
  typedCommands: [
    "{.bash_history,.zsh_history,.zhistory,.sh_history,.psql_history,.mysql_history,.python_history,.node_repl_history}",
    "{.rediscli_history,.irb_history,.pry_history,fish_history,consolehost_history.txt}",
  ],
} as const;

/**
 * Globs for paths of files whose names alone say little, such as `config`. A glob for a folder also matches all files
 * in it.
 */
const places = {
  cloudTools: [
    ".kube/{config,cache}",
    ".kube/**/*.{yml,yaml,conf}",
    ".docker/config.json",
    ".aws/{config,credentials,sso,cli}",
    ".azure/*.{json,bin}",
    "gcloud/**/*.{json,db}",
    "gcloud/{credentials,legacy_credentials}",
    ".oci/config",
    "{.terraform.d,.pulumi}/credentials*.json",
    "{.snowsql,.bundle,.config/op}/config",
    ".streamlit/secrets.toml",
  ],
  signingIn: [
    ".gnupg/{private-keys-v1.d,*.key}",
    ".password-store",
    ".config/gh/hosts.{yml,yaml}",
    ".config/{hub,containers/auth.json,git/credentials,rclone/rclone.conf,glab-cli/config.yml,doctl/config.yaml}",
    ".git/{config,credentials}",
    ".{codex,composer}/auth.json",
    ".huggingface/token",
    "huggingface/{token,stored_tokens}",
  ],
  packageManagers: [
    ".cargo/credentials",
    ".gem/credentials",
    ".m2/settings.xml",
    ".gradle/gradle.properties",
  ],
  secretsOfContainers: ["run/secrets"],
} as const;

/** Names that look sensitive but hold no secrets: templates and public keys. */
const free = [
  "{.env,.envrc,.dev.vars}[.-]*{example,sample,samples,template,tpl,dist,default,defaults,schema}",
  "{example,sample,template,dist,default,defaults}.env",
  "*.{example,sample,template,tpl,dist}.env",
  "*{.,-,_}{example,sample,template,dist}",
  `*{.,-,_}{example,sample,template}.${settingsEndings}`,
  "*.{tfvars,tfstate}.{example,sample,template}",
  "*{-,_,.}pub{,lic}.{pem,key,asc,gpg,pgp}",
  "pub{,lic}{,key,-key,_key}.{pem,key,asc,gpg,pgp}",
  "*.d.ts",
] as const;

const isNamed = compileTable(Object.values(names).flat());
const isPlaced = compileTable(
  Object.values(places)
    .flat()
    .map((glob) => `**/${glob}`),
);
/** All files in `.ssh` are sensitive, except for public keys and lists of hosts. */
const isOfSsh = compileTable(["**/.ssh/*"]);
const isPublicOfSsh = compileTable(["{known_hosts*,authorized_keys*,*.pub}"]);
const isFree = compileTable(free);

/**
 * Whether a file with this path usually holds keys or passwords.
 * @param path a path with `/`, or a name only; without folders, only the name is checked
 */
export function isSensitiveName(path: string): boolean {
  const whole = path.replaceAll("\\", "/").replace(/^[a-z]+:\/*|^\/+/i, "");
  // A folder above may have a short name, as the one for temporary files often has.
  const name = whole.slice(whole.lastIndexOf("/") + 1);
  return mayHaveShortName(name) || plainForms(whole).some(isSensitiveForm);
}

function isSensitiveForm(form: string): boolean {
  const name = form.slice(form.lastIndexOf("/") + 1);
  if (isOfSsh(form)) return !isPublicOfSsh(name);
  return (isNamed(name) && !isFree(name)) || isPlaced(form);
}
