const sensitiveNames: readonly RegExp[] = [
  /^\.env(?:rc)?$/,
  /^\.env\.(?!(?:example|sample|template|dist|defaults)$)/,
  /\.env$/,
  /\.(?:pem|key|p12|pfx|p8|jks|keystore|kdbx|ppk|asc|gpg|ovpn|tfstate|tfvars)$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/,
  /^\.?(?:aws|gcp|azure|git|docker)?[_-]?credentials?(?:\.[a-z]+)?$/,
  /^(?:client_secret|service[_-]?account|application_default_credentials).*\.json$/,
  /^\.?secrets?(?:\.[\w-]+)*\.(?:json|ya?ml|toml|ini|env|properties|txt)$/,
  /^\.(?:netrc|npmrc|pypirc|htpasswd|pgpass|my\.cnf|dockercfg|dockerconfigjson|vault-token)$/,
  /^_netrc$/,
  /^kubeconfig(?:\.ya?ml)?$/,
];

/** Whether a file of this name usually holds keys or passwords. */
export function isSensitiveName(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  return sensitiveNames.some((pattern) => pattern.test(name));
}
