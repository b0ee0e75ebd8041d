/**
 * A model of AWS WAF, for the rules that infra/firewall.ts uses. AWS documents its managed rules but not their patterns
 * ("Baseline rule groups", AWS WAF Developer Guide), so each rule here matches the examples in its description, which
 * is quoted.
 */

export type WebRequest = {
  method: string;
  /** Decoded, as after the rules' transformations. */
  path: string;
  query: string;
  headers: Record<string, string>;
  body: string;
};

/** The parts of a request, by the end of a rule's name. */
const parts = {
  HEADER: ({ headers }: WebRequest) => Object.entries(headers).flat().join('\n'),
  COOKIE: ({ headers }: WebRequest) => headers.Cookie ?? '',
  BODY: ({ body }: WebRequest) => body,
  URIPATH: ({ path }: WebRequest) => path,
  QUERYSTRING: ({ query }: WebRequest) => decodeURIComponent(query),
  QUERYARGUMENTS: ({ query }: WebRequest) => [...new URLSearchParams(query).values()].join('\n'),
};
type Part = keyof typeof parts;

type Rule = { name: string; label: string; matches: (request: WebRequest) => boolean };

const labelEnds: Record<Part, string> = {
  HEADER: 'Header',
  COOKIE: 'Cookie',
  BODY: 'Body',
  URIPATH: 'URIPath',
  QUERYSTRING: 'QueryString',
  QUERYARGUMENTS: 'QueryArguments',
};

/** One rule for each part of the request that AWS inspects. */
const finds = (name: string, pattern: RegExp, ...where: Part[]): Rule[] =>
  where.map((part) => ({
    name: `${name}_${part}`,
    label: `${name}_${labelEnds[part]}`,
    matches: (request) => pattern.test(parts[part](request)),
  }));

const longerThan = (bytes: number, text: string) => Buffer.byteLength(text) > bytes;
const header = (name: string) => (request: WebRequest) =>
  Object.entries(request.headers).find(([key]) => key.toLowerCase() === name)?.[1];

const common: Rule[] = [
  // "Inspects for requests that are missing the HTTP User-Agent header."
  {
    name: 'NoUserAgent_HEADER',
    label: 'NoUserAgent_Header',
    matches: (request) => header('user-agent')(request) === undefined,
  },
  // "Inspects for common User-Agent header values that indicate that the request is a bad bot. Example patterns include
  // nessus, and nmap."
  {
    name: 'UserAgent_BadBots_HEADER',
    label: 'BadBots_Header',
    matches: (request) => /nessus|nmap/i.test(header('user-agent')(request) ?? ''),
  },
  // "Inspects for URI query strings that are over 2,048 bytes."
  {
    name: 'SizeRestrictions_QUERYSTRING',
    label: 'SizeRestrictions_QueryString',
    matches: ({ query }) => longerThan(2048, query),
  },
  // "Inspects for cookie headers that are over 10,240 bytes."
  {
    name: 'SizeRestrictions_Cookie_HEADER',
    label: 'SizeRestrictions_Cookie_Header',
    matches: (request) => longerThan(10_240, parts.COOKIE(request)),
  },
  // "Inspects for request bodies that are over 8 KB (8,192 bytes)."
  {
    name: 'SizeRestrictions_BODY',
    label: 'SizeRestrictions_Body',
    matches: ({ body }) => longerThan(8192, body),
  },
  // "Inspects for URI paths that are over 1,024 bytes."
  {
    name: 'SizeRestrictions_URIPATH',
    label: 'SizeRestrictions_URIPath',
    matches: ({ path }) => longerThan(1024, encodeURI(path)),
  },
  // "Inspects for attempts to exfiltrate Amazon EC2 metadata from the request …": its address is 169.254.169.254
  // ("Access instance metadata for an EC2 instance", EC2 User Guide).
  ...finds('EC2MetaDataSSRF', /169\.254\.169\.254/, 'BODY', 'COOKIE', 'URIPATH', 'QUERYARGUMENTS'),
  // "Inspects for the presence of Local File Inclusion (LFI) exploits … Examples include path traversal attempts using
  // techniques like ../../."
  ...finds('GenericLFI', /\.\.\//, 'QUERYARGUMENTS', 'URIPATH', 'BODY'),
  // "Inspects for requests whose URI paths contain system file extensions that are unsafe to read or run. Example patterns
  // include extensions like .log and .ini."
  ...finds('RestrictedExtensions', /\.(?:log|ini)\b/i, 'URIPATH', 'QUERYARGUMENTS'),
  // "… RFI (Remote File Inclusion) in web applications by embedding URLs that contain IPv4 addresses. Examples include
  // patterns like http://, https://, ftp://, ftps://, and file://, with an IPv4 host header in the exploit attempt."
  ...finds(
    'GenericRFI',
    /(?:https?|ftps?|file):\/\/\d{1,3}(?:\.\d{1,3}){3}/i,
    'QUERYARGUMENTS',
    'BODY',
    'URIPATH',
  ),
  // "… common cross-site scripting (XSS) patterns … Example patterns include scripts like <script>alert("hello")</script>."
  ...finds('CrossSiteScripting', /<script\b/i, 'COOKIE', 'QUERYARGUMENTS', 'BODY', 'URIPATH'),
];

const knownBadInputs: Rule[] = [
  // "… patterns indicating Java deserialization Remote Command Execution (RCE) attempts … Example patterns include
  // (java.lang.Runtime).getRuntime().exec("whoami")."
  ...finds('JavaDeserializationRCE', /java\.lang\.Runtime/, 'HEADER', 'BODY', 'URIPATH', 'QUERYSTRING'),
  // "Inspects the host header in the request for patterns indicating localhost. Example patterns include localhost."
  {
    name: 'Host_localhost_HEADER',
    label: 'Host_Localhost_Header',
    matches: (request) => /localhost/i.test(header('host')(request) ?? ''),
  },
  // "Inspects the HTTP method in the request for PROPFIND."
  { name: 'PROPFIND_METHOD', label: 'Propfind_Method', matches: ({ method }) => method === 'PROPFIND' },
  // "Inspects the URI path for attempts to access exploitable web application paths. Example patterns include paths like
  // web-inf."
  ...finds('ExploitablePaths', /web-inf/i, 'URIPATH'),
  // "Inspects the keys and values of request headers for the presence of the Log4j vulnerability … Example patterns include
  // ${jndi:ldap://example.com/}."
  ...finds('Log4JRCE', /\$\{jndi:/i, 'HEADER', 'QUERYSTRING', 'BODY', 'URIPATH'),
  // "Inspects the request body for patterns indicating presence of CVE-2025-55182": a reference of React's Flight protocol
  // to a prototype.
  ...finds('ReactJSRCE', /\$\d+:__proto__:/, 'BODY'),
];

/** By group: its rules, and the prefix of their labels. */
export const managedRules: Readonly<Record<string, { prefix: string; rules: readonly Rule[] }>> = {
  AWSManagedRulesCommonRuleSet: { prefix: 'awswaf:managed:aws:core-rule-set:', rules: common },
  AWSManagedRulesKnownBadInputsRuleSet: {
    prefix: 'awswaf:managed:aws:known-bad-inputs:',
    rules: knownBadInputs,
  },
  // "Inspects for IP addresses …": it looks at the address alone.
  AWSManagedRulesAmazonIpReputationList: { prefix: 'awswaf:managed:aws:amazon-ip-list:', rules: [] },
};

type Action = { Block?: object; Count?: object; Allow?: object };
type Statement = {
  RateBasedStatement?: object;
  ManagedRuleGroupStatement?: {
    Name: string;
    RuleActionOverrides?: { Name: string; ActionToUse: Action }[];
  };
  LabelMatchStatement?: { Key: string };
  OrStatement?: { Statements: Statement[] };
};

/** A rule of the template. */
export type AclRule = {
  Name: string;
  Priority: number;
  Statement: Statement;
  Action?: Action;
  OverrideAction?: { None?: object; Count?: object };
  VisibilityConfig: unknown;
};

/**
 * The outcome of a request from an address that is neither listed nor above the limit: "How AWS WAF processes rules and
 * rule groups", "Overriding rule group actions".
 *
 * @returns the rule that refuses it, or undefined; and the request's labels
 * @throws Error for a rule without a model, because its test would prove nothing
 */
export function inspect(acl: readonly AclRule[], request: WebRequest) {
  const labels = new Set<string>();
  const refusedBy = [...acl]
    .sort((a, b) => a.Priority - b.Priority)
    .map((rule) => decide(rule, request, labels))
    .find((name) => name !== undefined);
  return { refusedBy, labels: [...labels] };
}

function decide(rule: AclRule, request: WebRequest, labels: Set<string>): string | undefined {
  const { RateBasedStatement, ManagedRuleGroupStatement: group } = rule.Statement;
  if (RateBasedStatement) return undefined;
  if (!group) return holds(rule.Statement, labels) && rule.Action?.Block ? rule.Name : undefined;
  const known = managedRules[group.Name];
  if (!known) throw new Error(`the model does not know ${group.Name}`);
  for (const { name, label, matches } of known.rules) {
    if (!matches(request)) continue;
    labels.add(known.prefix + label);
    const override = group.RuleActionOverrides?.find(({ Name }) => Name === name);
    // A rule that blocks stops its group, even if the group only counts.
    if (override?.ActionToUse.Count) continue;
    return rule.OverrideAction?.Count ? undefined : name;
  }
  return undefined;
}

function holds(statement: Statement, labels: ReadonlySet<string>): boolean {
  if (statement.LabelMatchStatement) return labels.has(statement.LabelMatchStatement.Key);
  if (statement.OrStatement) return statement.OrStatement.Statements.some((one) => holds(one, labels));
  throw new Error(`the model does not know ${Object.keys(statement).join()}`);
}
