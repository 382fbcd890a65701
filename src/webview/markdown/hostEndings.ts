/** Those of countries, but for `md`, `py`, `rs` and `sh`, which in a chat about code are files. */
const countries =
  "a[c-gilmoq-uwxz]|b[abd-jm-or-twyz]|c[acdf-ik-oru-z]|d[ejkmoz]|e[cegr-u]|f[i-kmor]|g[ad-il-np-uwy]|h[kmnrtu]|i[del-oq-t]|j[emop]|k[eg-imnprwyz]|l[a-cikr-vy]|m[aceghk-z]|n[ace-gilopruz]|om|p[ae-hk-nr-tw]|qa|r[eouw]|s[a-egik-or-vx-z]|t[cdf-hj-ortvwz]|u[agksyz]|v[aceginu]|w[fs]|y[et]|z[amw]";
/** Of the others those that many hosts have, and few members of code: with all, each `axios.post` would be one. */
const others =
  "com|net|org|edu|gov|mil|info|biz|example|onion|app|art|bank|blog|cloud|club|dev|email|finance|fun|help|host|icu|life|live|money|news|online|page|pro|sbs|shop|site|space|store|support|tech|today|top|vip|website|wiki|win|work|world|xyz|xn--[a-z0-9-]+";

/** The end of a host's name, as the source of a regular expression; one in letters that are not ASCII is always one. */
export const hostEnding = String.raw`(?:${countries}|${others}|(?:md|py|rs|sh)(?=\/)|(?=\p{L}*[^\p{ASCII}])\p{L}{2,})`;
