import type { CauseRule } from "./causeRules.ts";

// Matches words for an API key or another credential. Does not match `unexpected token`, `CSRF token`, or a key that is
// the name of a JSON member (`key 'max_tokens'`).
const key = String.raw`(?<!\w|unexpected |[cx]srf )(?:api[ _-]?keys?|x-api-key|(?:access |bearer |auth |subscription |virtual )?(?:keys?(?!:? ['"\x60][a-z]+(?:_[a-z]+)*['"\x60]|: [a-z_]+$)|tokens?)|credentials?|jwt)(?![a-z])`;
const texts = "(?:prompt|input|output|response|completion|message|content)s?";
const holder = "(?:accounts?|user|organi[sz]ation|team|project|consumer)";
const became = "(?:is|are|has been|have been|was|were)";
const anyOf = (...patterns: readonly string[]): RegExp => new RegExp(patterns.join("|"), "i");

/** Matches messages that reject images in general. Messages about one image (too large, wrong format) do not match. */
export const imageRefused =
  /\b(?:images?|vision|multi-?modal)\b(?: \w+){0,4} (?:is|are) (?:not|un)[ -]?(?:currently |yet )?(?:supported|allowed|accepted|enabled|available)|\b(?:do|does|did|can|will)(?: not|not) (?:currently )?(?:support|accept|take|allow|process|handle|have) (?:\w+ ){0,4}(?:images?|vision|multi-?modal|image_url)|\b(?:not a|no) (?:vision|multi-?modal)\b|\bimage_url\b.{0,40}(?:not supported|unsupported|unknown variant|only supported by)|不支持.{0,6}(?:图|视觉|多模态)/i;

/** Matches messages that reject a token limit above the model's maximum, regardless of the conversation. */
export const capRefused =
  /^(?!.*(?:context (?:length|limit)|input length|inputs?\W{0,2} ?tokens|in the messages|tokens \+|credits?\b)).*(?:\bmax_(?:completion_|output_|new_)?tokens\b.{0,80}(?:too (?:large|high|big)|must be (?:less|at most|smaller|<|≤|between|in\b)|exceed|out of range|(?:valid|supported) range|maximum (?:allowed|value)|: ?\d+ ?>|at most|greater than)|range of max_(?:\w+_)?tokens\b|\bmaximum tokens (?:that )?you requested exceed|\bmax_(?:\w+_)?tokens\b.{0,20}(?:超出|超过|不能大于|范围|必须))/is;

/** For status 413 (too large): a message about tokens means that the context is too long. */
export const tokensTooLarge: readonly CauseRule[] = [
  { cause: "context-length", pattern: /\btokens?\b(?! per (?:sec|min|hour|day))/i },
];

/** For any status except 429 and 5xx: the message means that the quota is used up. */
export const quotaSpent: readonly CauseRule[] = [
  {
    cause: "budget-exhausted",
    pattern:
      /\bquota (?:limit )?(?:has been |is |was )?(?:exceeded|reached)\b(?!.{0,60}\bper (?:sec|min|hour|day))/i,
  },
];

/** Words for a service behind a gateway, with its own key. */
export const behindGateway = /\b(?:upstream|provider|psql|postgres|mysql|redis|database)/i;

/** Messages of a tunnel or front end that cannot reach the service behind it. */
export const downMessages: readonly CauseRule[] = [
  {
    cause: "server-error",
    pattern: anyOf(
      String.raw`^error code: 10(?:00|01|16|18|33)\b|\btunnels?\b.{0,60}(?:not found|offline|unavailable|unreachable|error|does not exist|is down|cannot be reached)`,
      String.raw`\bno (?:active |such )?tunnel\b|\bendpoint .{0,80} is offline|\berr_ngrok_\d+|upstream connect error|origin (?:server )?(?:is )?(?:unreachable|down)`,
    ),
  },
];

/** Messages that take precedence over type and code. */
export const decisiveMessages: readonly CauseRule[] = [
  {
    cause: "tls",
    pattern:
      /(?:plain )?http request (?:was sent )?to an? https (?:port|server)|plain http request was sent to https port/i,
  },
  // An exception of an upstream service about the gateway's own key, which the user cannot fix.
  {
    cause: "server-error",
    pattern:
      /\b(?!litellm)\w+Exception\s*-\s.*\b(?:api[ _-]?key|x-api-key|unauthori[sz]ed|authentication|credentials?)\b/i,
  },
  ...downMessages,
  // The location or the IP address is blocked: key, model and budget are not the problem.
  {
    cause: "unknown",
    pattern: anyOf(
      String.raw`\b(?:locations?|countr(?:y|ies)|regions?|territor(?:y|ies))\b.{0,40}(?:not (?:supported|available|allowed|permitted)|unsupported|restricted)`,
      String.raw`\bnot (?:supported|available|allowed|permitted|offered) (?:in|from|for) (?:your (?:current )?|unsupported )(?:locations?|countr|region|territor)`,
      String.raw`\bip address restriction|\bnot (?:allowed|authori[sz]ed|permitted) from (?:this|your) (?:ip|address|network)\b|\brefer+er\b.{0,60} (?:blocked|not allowed)|\bapi has not been (?:used|enabled) in project\b`,
      String.raw`${key} (?:is )?not allowed to (?:call|access|use) (?:this |the )?(?:route|endpoint|path)`,
      String.raw`\b(?:ip|client|source)(?: address(?:es)?)?\b(?: \S+){0,6} not (?:(?:in|on) (?:the |this |your )*(?:allow|white|approv)\w*[ -]?list|(?:allowed|authori[sz]ed|permitted))`,
    ),
  },
  {
    cause: "budget-exhausted",
    pattern: anyOf(
      String.raw`budget (?:\w+ ){0,3}?(?:has been |was |is )?(?:exceeded|exhausted|used up|spent|depleted)`,
      String.raw`exceed(?:s|ed)? ?(?:\w+ ){0,3}\w{0,30}budget|(?:over|crossed) (?:\w+ )?budget`,
      String.raw`credit balance is too low|(?:balance|quota|credits?|funds) (?:is |are )?(?:too low|insufficient|not enough)`,
      String.raw`(?:insufficient|not enough|no remaining) (?:account )?(?:credits?|balance|funds|quota)`,
      "额度.{0,8}(?:用尽|不足|耗尽)|余额不足|欠费",
    ),
  },
  {
    cause: "model-not-allowed",
    pattern: anyOf(
      String.raw`(?:not (?:allowed|authorized|permitted|entitled)|no permission|unauthorized) to (?:access|use|call|invoke|run|query|sample from) (?:\S+ ){0,3}model`,
      String.raw`(?:no|without|lacks?) (?:access|permission)s? (?:to|for) (?:the |this |that |requested )*model|(?:access|permission) denied (?:to|for) (?:the |this |that |requested )*model`,
      String.raw`(?:does|do) not have (?:access|permission)s? (?:to|for|to use|to access) (?:the |this |that |requested )*model`,
      String.raw`\bmodel use case (?:details|form)|\bcannot (?:use|access|call) (?:this|that) (?:\w+ )?model\b(?! with)|must be verified to (?:use|access) (?:the |this )?model|(?:request|apply for|enable|grant\w*) access to (?:the |this |that )*model|accept the (?:\w+ ){0,3}(?:terms|agreement|licen[sc]e)\b.{0,60}\bmodel`,
      "无权(?:访问|使用|调用).{0,30}模型|模型.{0,30}(?:无权|(?:需|须)要?开通)|套餐.{0,20}(?:未开放|不支持|不包含)",
    ),
  },
];

/** Messages in English and Chinese; more specific causes come first. */
export const messages: readonly CauseRule[] = [
  // Cloudflare codes; only this one is a rate limit.
  { cause: "rate-limited", pattern: /^error code: 1015\b/i },
  { cause: "not-an-api", pattern: /^error code: 1\d{3}\b/i },
  { cause: "proxy", pattern: /proxy authentication required/i },
  {
    cause: "malformed-key",
    pattern: anyOf(
      String.raw`malformed (?:\w+ )?(?:${key}|authorization|bearer)`,
      String.raw`${key}.{0,120}(?:expected|must|should|has|have) (?:to )?(?:start|begin) with ['"\x60]?\w+[-_]`,
      String.raw`(?:${key}|authorization(?: header)?) (?:has |have |is |in )*(?:an? )?(?:invalid |wrong |incorrect |bad )?format|(?:invalid|wrong|incorrect|bad) (?:${key}|authorization(?: header)?) format`,
      String.raw`(?:${key}|auth\w*(?: header)?) format (?:should|must|needs? to|has to) be`,
      String.raw`(?:${key}|authorization(?: header)?) (?:is |was )?malformed|has .?bearer.? prefix`,
    ),
  },
  {
    cause: "not-a-key",
    pattern: anyOf(
      String.raw`oauth (?:\w+ ){0,2}(?:is|are) (?:currently )?not (?:supported|allowed|accepted)`,
      String.raw`(?:session|console|login|account|dashboard) (?:tokens?|credentials?|logins?) (?:\w+ ){0,3}not|not an? (?:valid )?(?:inference )?api key\b.*(?:session|login|account)`,
      "only authorized for use with",
    ),
  },
  {
    cause: "expired-key",
    pattern: anyOf(
      String.raw`(?:${key}|session|login)(?: \S+){0,5} (?:has |have |is |was |already )+expired|expired (?:\w+ )?${key}|(?:${key}|session|login) expired`,
      String.raw`signature (?:has )?expired|${key}\b[^.]{0,60}\bexpired\b|${key}\b.{0,30}(?:past its expir|validity (?:\w+ ){0,2}(?:ended|over\b))`,
      "(?:令牌|密钥|token|key|凭证).{0,10}(?:已过期|过期)",
    ),
  },
  {
    cause: "revoked-key",
    pattern: anyOf(
      String.raw`(?:${key}|${holder})(?: \S+){0,4}? ${became}(?: (?!temporarily\b)\w+)? (?:disabled|deactivated|revoked|suspended|banned|deleted|terminated|inactive|locked|frozen|withdrawn|not active(?!.{0,60}billing))`,
      String.raw`(?:${key}(?: \S+){0,4}?|${holder}(?: (?!${texts}\b|(?:request|query)\b)\S+){0,4}?) ${became}(?: \w+)? (?:blocked|restricted(?! to\b))`,
      String.raw`(?:revoked|disabled|deactivated|blocked|suspended|inactive) (?:\w+ )?(?:${key}|accounts?|user)\b(?! ${texts}\b)|reported as leaked|${key} (?:revoked|disabled|deactivated|suspended|frozen|locked|blocked) by\b`,
      "状态不可用|封禁|(?<!模型.{0,40})(?:已被?|被)(?:禁用|停用|吊销|注销)",
    ),
  },
  {
    cause: "empty-key",
    pattern: anyOf(
      String.raw`not (?:provide|supply|pass|send|sent|include|contain|set)\w* (?:an? |any |your |the |valid )*(?:${key}|auth)|did not (?:find|receive|get|see|detect) (?:an?|any) (?:\w+ )?${key}`,
      String.raw`\bno (?:\w+ ){0,2}(?:${key}|auth\w*)(?: \w+)? (?:was |were )?(?:passed|found|provided|supplied|given|present|sent|specified|in\b)|^no auth`,
      String.raw`missing (?:\w+ ){0,3}(?:${key}|auth\w*)\b`,
      String.raw`(?:${key}|authorization|authentication)['"\x60]?(?: header| token| field)? (?:is |was |are |were )*(?:missing|required|empty|blank|absent|not (?:provided|set|sent|received|present|supplied))`,
      "^not authenticated|unregistered callers",
      "(?:authorization|api.?key|\\btoken\\b|令牌|密钥).{0,8}(?:为空|缺失)|(?:未提供|未收到|缺少|没有提供|未携带|缺失).{0,10}(?:令牌|密钥|token|key|授权|认证|凭证|authorization)",
    ),
  },
  // Here, "key" means an unknown member of an object, not an API key.
  {
    cause: "bad-request",
    pattern:
      /\b(?:unrecogni[sz]ed|unknown) keys?(?:\(s\))?(?: in object\b|: ['"\x60][a-z]+(?:_[a-z]+)*['"\x60])|\binvalid key: expected never\b/i,
  },
  // A router reports that no provider of the model can, or may, take the request.
  {
    cause: "bad-request",
    pattern:
      /\bno (?:\w+ )?endpoints? (?:(?:found|available) )?(?:that|which) (?:can |could )?(?:support|handle|accept)/i,
  },
  {
    cause: "model-not-allowed",
    pattern:
      /\bno (?:\w+ )?endpoints? (?:(?:found|available) )?matching (?:\w+ ){0,6}?(?:data polic|privacy|guardrail|restriction)/i,
  },
  {
    cause: "content-filtered",
    pattern: anyOf(
      String.raw`\b${texts}\b(?: (?!models?\b)\w+){0,4} blocked\b(?!.{0,80}(?:too many|rate limit))|\bblocked (?:\w+ ){0,2}${texts}\b`,
      String.raw`\bblocked by|requires? moderation|\bmoderation (?:system|filter|service|check|fail)|\bflagged\b|guardrail|content[ _-]?(?:polic|filter|management|moderation|safety|exists risk|violat)`,
      String.raw`safety (?:system|polic|filter|setting)|(?:usage|acceptable use) (?:polic|guideline)|(?:inappropriate|prohibited|sensitive|unsafe|harmful) (?:content|words?)|considered high risk|sensitive information|\b${texts} (?:was|were|is|has been|have been) filtered`,
      String.raw`\b(?:input|output) (?:new_)?sensitive\b`,
      "敏感|违规|内容安全",
    ),
  },
  {
    cause: "budget-exhausted",
    pattern: anyOf(
      String.raw`exceeded (?:your|the|its|their) (?:\w+ ){0,3}(?:quota|credits?|spend\w*|allowance)|exceeds? (?:your |the )?(?:available|remaining) (?:quota|credits?|balance)|(?:key|credit|spend\w*|cost|usage|monthly) limits? (?:of \S+ )?(?:has been |have been |was )?(?:exceeded|reached|hit)`,
      String.raw`^(?!.*\brate.?limit).*\badd (?:more |some )?credits\b|(?:quota|credits?|balance|funds)\b(?: \w+){0,8} (?:exhausted|depleted|used up|run out|ran out)|no quota (?:left|remaining)`,
      String.raw`free (?:tier|quota|trial).{0,40}(?:exhausted|used up|exceeded|ended|over\b)|out of (?:\w+ ){0,3}(?:quota|budget)`,
      String.raw`daily (?:\w+ ){0,3}(?:allowance|allocation|credits?|quota)\b.{0,60}(?:used|exhausted|spent|exceeded|reached|consumed)|used (?:all )?(?:of )?your (?:\w+ ){0,2}(?:allowance|allocation|credits?|quota)|used up (?:\S+ ){0,4}?(?:allowance|allocation|credits?|quota|budget)\b`,
      String.raw`no credits? (?:left|remaining|available)|(?:no|any|more|out of|all available) credits(?! (?:were|was|are))|reached your (?:\w+ ){0,3}usage limit`,
    ),
  },
  { cause: "bad-request", pattern: imageRefused },
  { cause: "bad-request", pattern: capRefused },
  // A limit per time, not per request.
  {
    cause: "rate-limited",
    pattern: /(?:requests|tokens)[ -]per[ -](?:sec|min|hour|day)|\b[tr]p[mdsh]\b/i,
  },
  {
    cause: "context-length",
    pattern: anyOf(
      String.raw`context[ _]?(?:length|size|window|limit)|(?:(?:prompt|input|conversation|messages?)(?: (?:tokens?|text|length|history|context|content))*|request) (?:is |are |was |were )?too long|(?:prompt|conversation|context) (?:is |was )?too (?:big|large)|sequence length.{0,40} (?:exceeds|longer|greater)|\btokens\b.{0,40} (?:(?:is|are) (?:above|over|beyond|more than)|cannot exceed) (?:the|your|its) (?:\w+ ){0,2}(?:limit|maximum)|too many (?:input )?tokens(?!,? please wait| per| in flight)|model token limit|too large for model with`,
      String.raw`(?:input|prompt) (?:token count|length)|exceeds? (?:the )?(?:maximum|max|model'?s?) (?:\w+ ){0,4}(?:tokens|length)\b`,
      String.raw`longer than the (?:maximum )?(?:model|context) length`,
      String.raw`tokens.{0,60}must (?:be|have) (?:<=?|≤|less|fewer|at most)|must have (?:less|fewer) than \d+ tokens|tokens\b.{0,40}\b(?:window is|limit of \d+(?! tokens per)|limit is \d+$)|reduce the length of`,
      String.raw`\d tokens\b.{0,40}\b(?:takes|accepts|handles|allows) (?:at most |only |up to )?\d+|too (?:large|big|long) for (?:the |this |its )?(?:context|model|window)`,
      "上下文.{0,10}(?:长度|超)|输入.{0,10}过长|超长",
    ),
  },
  {
    cause: "model-not-allowed",
    pattern: anyOf(
      String.raw`\byour (?:\w+ )?(?:tier|plan|subscription|licen[sc]e) (?:cannot|may not)|(?:only available|\bmodel\b.{0,80} available) (?:only )?(?:on|to|in|with|for) (?:the |a )?\w+ (?:plan|tier|subscription|customers|users)|(?:enable|request) access to\b|access to (?:the )?model\b.{0,80} requires|${key}\b.{0,30} restricted to (?:the )?models?\b|\bmodel\b.{0,60} is gated|not (?:permitted|allowed|authori[sz]ed) (?:for|to) (?:the )?model`,
      String.raw`not available for (?:this|your) (?:api )?key|model.{0,60} requires? (?:an? )?(?:\w+ )?(?:subscription|plan|upgrade)|models?\b.{0,80}\b(?:blocked|disabled)\b|can only access models|allow-?list|plan (?:does )?not (?:include|cover|allow|support)|not (?:in|on|among) (?:\w+ ){0,4}(?:allowed|permitted|approved) (?:models?|list)\b|access to (?:the )?model.{0,80} (?:denied|restricted)|upgrade (?:\S+ ){0,6}to (?:use|access) (?:\S+ ){0,3}model|model.{0,120}(?:access denied|not (?:been )?(?:allowed|permitted|authorized|enabled)\b)`,
    ),
  },
  {
    cause: "overloaded",
    pattern:
      /overload|over ?capacity|at capacity|capacity exceeded|loading model|model.{0,40} not (?:yet )?ready|model.{0,80}\bloading\b|(?:service|server|engine|model|system)s?\b.{0,40}(?:temporarily unavailable|currently unavailable|\bbusy\b)|high (?:demand|load)|no healthy upstream|no available (?:server|worker|instance)|负载|繁忙/i,
  },
  {
    cause: "rate-limited",
    pattern:
      /rate[ _-]?limit|too many (?:requests|tokens)|\b(?:requests?|qps|calls?) limit (?:reached|exceeded)|(?:requests|tokens) per (?:sec|min|hour|day)|over available [tr]pm|\b[tr]p[mds]\b|throttl|(?:concurren\w+|parallel) (?:\w+ )?limit|resource (?:has been )?exhausted|slow down|限流|频率|频繁|请求数/i,
  },
  {
    cause: "invalid-key",
    pattern: anyOf(
      String.raw`(?:invalid|incorrect|wrong|bad|unknown|unrecognized) (?:(?!number\b|count\b)[\w-]+ ){0,3}?(?:${key}|auth\w*|username)\b`,
      String.raw`(?<!required )${key}\b.{0,60}\b(?:not valid|invalid|not recogni[sz]ed|incorrect|not found|unable to find|does not exist|verification fail)`,
      String.raw`(?:issue|problem) with your (?:api )?key|user not found|no such user|log-?in fail|authentication (?:fail|error)|unauthori[sz]ed\b|could not (?:validate|verify) credentials|verification fails`,
      "无效的?.{0,6}(?:令牌|密钥|token|key)|(?:令牌|密钥).{0,6}(?:无效|错误|不存在)",
    ),
  },
  // Below `invalid-key`, because a message about an invalid key often also asks for a valid one.
  {
    cause: "empty-key",
    pattern: anyOf(
      String.raw`(?:please|must) (?:include|provide|supply|send|pass|set|add|carry) (?:an? |your |the |valid |\w+ secret )*${key}`,
      String.raw`${key} (?:must|needs? to|has to|should) be (?:included|provided|supplied|sent|passed|set)\b`,
    ),
  },
  {
    cause: "model-not-found",
    pattern: anyOf(
      String.raw`\bmodels?\b.{0,160}(?:does not exist|not found|could not be found|not exist|is not (?:available|supported|valid|a valid|known|configured|deployed|hosted|served|offered|installed|among|in the list)|not recogni[sz]ed|(?:is|was|has been|been) (?:deprecated|decommissioned|removed|retired|shut|sunset|discontinued|withdrawn)|no longer (?:available|accessible|supported|offered|served|exists?))`,
      String.raw`(?:no|unable to find|could not find|cannot find) (?:an?y? |the |such )?model (?:named|called|with (?:the )?(?:name|id)|by)|with on-demand throughput is not supported`,
      String.raw`not among (?:the )?(?:\w+ )?models|(?:locate|find|route|resolve) (?:an? |any |the )?model\b|\b(?:engine|deployment)\b.{0,60} (?:not found|could not be found)|no (?:deployment|engine) (?:named|called|for)\b|\bmodel\b.{0,80} not loaded|unknown (?:engine|deployment)\b|\bmodel (?:is )?not supported by\b`,
      String.raw`(?:invalid|unknown|unsupported|unrecogni[sz]ed|no such|non-?existent) model(?! (?:param|setting|option|argument|field))|not a valid model|not found (?:the )?model|^model: |no models? (?:is |are )?loaded|deployment.{0,80}(?:does not exist|not found)`,
      String.raw`(?:do not|cannot) (?:serve|host|offer|support|have) (?:\w+ ){0,2}model|^\W?model\W? must be (?:one of|in)\b`,
      String.raw`model (?:name|id|identifier)\b[^.]{0,60} is (?:invalid|unknown)|\bmodel\b.{0,80} end of (?:its )?life|no (?:\w+ )?providers?\b.{0,40} model|\bmodel\b.{0,80} has no (?:\w+ )?providers?\b|\bmodel\b.{0,60} as legacy\b|\bmodel \S+ (?:not |un)supported\W*$|\bmodel not supported\W|\bmodel \S+ is unknown\b|\bmodel (?:retired|removed|deprecated|discontinued|withdrawn)(?:\W*$|:)`,
      String.raw`no (?:\w+ )?(?:channels?|providers?|endpoints?) (?:found |available )?for|allowed now, your model`,
      "无可用渠道|模型.{0,60}(?:不存在|未找到|无效|停用|下线|下架|不支持[\\s.。!,]*$)|不支持(?:该|此|这个|的)模型",
    ),
  },
  // The service does not support the request. A retry would fail the same way.
  { cause: "bad-request", pattern: /\bnot supported by (?:any|the|this|that|your)\b/i },
  {
    cause: "wrong-path",
    pattern: anyOf(
      String.raw`invalid url|could not route to|no route for|unexpected endpoint|no such (?:endpoint|route|path|url|page|resource)|no (?:matching )?route|^(?:the )?(?:(?:requested )?(?:page|file|resource|route|url|endpoint|path) )?not found[.!]?$|^404\b|page not found|resource not found`,
      String.raw`(?:unknown|unsupported|invalid|unrecogni[sz]ed) (?:request )?(?:url|path|endpoint|route)|(?:route|endpoint|path|url)\b.{0,120}(?:not found|does not exist)|cannot (?:get|post) /|method not allowed`,
      String.raw`^\S+(?: \S+)? is (?:running|alive|up)[.!]?$`,
    ),
  },
  {
    cause: "timeout",
    pattern:
      /^time-?out\W*$|timed[ -]?out|(?:gateway|request|connection|read|upstream|server) time-?out|deadline exceeded|超时/i,
  },
  {
    cause: "budget-exhausted",
    pattern:
      /\bbilling\b|\bcredit card\b|payment (?:required|method)|past due|\boverdue\b|top up|recharge|spend\w* (?:limit|cap)/i,
  },
];
