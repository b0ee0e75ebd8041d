/** The texts of the document about the whole API. */

import manifest from '../../package.json' with { type: 'json' };

const description = `
The control plane of your platform: projects with avatars, knowledge, deployments and conversations, and the API keys
that access them.

**Authentication.** Send an API key: \`Authorization: Bearer sk_live_…\`. A key belongs to an organisation and a mode. Data
of \`sk_live_\` and \`sk_test_\` keys is separate. The scopes of a key are its permissions; \`write\` includes \`read\`. A revoked key
is refused from the next request on.

If an OIDC issuer is configured, its access tokens (JWTs) are accepted wherever a key is, in the same header. Their claims
contain the organisation, the mode and the scopes. \`createdBy\` is then \`sub:\` and the subject of the token.

With a workload identity, a CI system or a cluster needs no key: its OIDC token is sent in the same header, and the identity has
the scopes. \`createdBy\` is then \`wid_…:\` and the subject of the token. \`GET /api-keys/me\` works with keys only. A secret can be
read again only with the same token that created it.

**Agents.** \`POST /mcp\` and the command \`platform mcp\` offer this API as tools (Model Context Protocol), with the same key.

**Responses.** Every response is \`{"success":true,"data":{…}}\` or
\`{"success":false,"error":{"code","message","requestId"}}\`. Use \`code\` in programs. Quote \`requestId\` (also in the header
\`X-Request-Id\`) when you ask for help.

**Retries.** Send an \`Idempotency-Key\`, such as a UUID, with every POST. The request then takes effect once, even if it is
sent several times or at the same time. Every repetition gets the first response, with \`Idempotent-Replayed: true\`. Errors
are not stored, so you can repeat a failed request unchanged. A key is remembered for 24 hours, per organisation, mode and
project in the path. With another method, path or body, it is refused with 422 \`idempotency_key_reused\`. The order of
fields and white space in the body do not matter.

**Limits.** A key can have a limit of requests (\`rateLimit\`), and so can an organisation, for live and for test data. A request
also counts in the limits of the keys above its key: the one that created it, and so on. Every
response to a limited caller has the headers \`RateLimit\` and \`RateLimit-Policy\`. Above a limit, the response is 429
\`rate_limited\`: wait for the seconds in \`Retry-After\`. Such a request has no effect. Quotas limit what an organisation
stores per day, and what runs at the same time; above one, the response is 429 \`quota_exceeded\`. \`GET /usage\` shows all
limits and what is used.

**Bodies** are uncompressed JSON in UTF-8, at most 256 KB. A character that is escaped as \`\\uXXXX\` counts as six bytes, so
do not escape it. Text must be well-formed Unicode.

**Times** in requests are those of RFC 3339 with a capital \`T\` and \`Z\`, with seconds, and with \`Z\` or an offset:
\`2026-03-01T09:30:00Z\`. Times in responses are in UTC, with milliseconds. **Numbers** in queries are written as in JSON.
**Names**, ids of your own, tags and metadata are stored as they were sent and compared by code points. So \`é\` as one character (NFC)
and as two (NFD) are different: send NFC. Searches and \`namePrefix\` ignore the difference, and the clients send the names of files
in NFC.

**Lists** are sorted newest first, environments by name. A page has up to \`limit\` items (default 25, at most 100). To get
the next page, send \`nextCursor\` as \`cursor\`. It is null on the last page.
`.trim();

export const info = {
  title: 'Platform API',
  version: manifest.version,
  summary: manifest.description,
  description,
  contact: { name: 'The operators of this service' },
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
};

export const servers = [
  { url: '/api/v1', description: 'The service that serves this document.' },
  {
    url: 'https://{host}/api/v1',
    description: 'A deployed service. `cdk deploy` prints its URL.',
    variables: {
      host: {
        default: 'a1b2c3d4e5.execute-api.eu-central-1.amazonaws.com',
        description: 'The host of the API: of its API Gateway, or your own domain.',
      },
    },
  },
  {
    url: 'http://127.0.0.1:{port}/api/v1',
    description: '`npm run dev`',
    variables: { port: { default: '3000', description: 'The port of the development server.' } },
  },
];

/** By the first part of an operation's id. */
const tags = {
  'api-keys': ['API keys', 'Keys that call this API: create, scope, list and revoke them.'],
  'workload-identities': [
    'Workload identities',
    'OIDC tokens of other issuers, such as those of CI, in place of API keys.',
  ],
  me: ['Me', 'The credential that calls.'],
  projects: ['Projects', 'Containers of everything else.'],
  jobs: ['Jobs', 'Background work, such as re-indexing.'],
  knowledge: [
    'Knowledge',
    'Texts that a project knows, the sites that they come from, and the search in them.',
  ],
  avatars: ['Avatars', 'Personas with a voice and an image. Every change creates a version.'],
  deployments: ['Deployments', 'Snapshots of avatars and knowledge, which are promoted and rolled back.'],
  environments: ['Environments', 'Named places that serve a deployment, such as production.'],
  rollouts: [
    'Rollouts',
    'A deployment for a part of the users, compared with the current deployment, and stopped if it harms.',
  ],
  webhooks: [
    'Webhooks',
    'Receivers of events. Requests to them are signed, and repeated until they succeed.',
  ],
  conversations: [
    'Conversations',
    'Messages between users and avatars: store, read, search, count and erase them.',
  ],
  replies: [
    'Replies',
    'Answers of avatars, by the models that the service lists, with the knowledge of a deployment or a draft.',
  ],
  evaluators: ['Evaluators', 'Ways to score conversations, by rules, by models, or by your own programs.'],
  'evaluation-runs': [
    'Evaluators',
    'Ways to score conversations, by rules, by models, or by your own programs.',
  ],
  events: ['Events', 'Changes of resources, as events. They are kept for 30 days.'],
  uploads: ['Uploads', 'Links for files that are imported.'],
  exports: ['Exports', 'Files with everything: conversations, documents or audit events.'],
  'audit-events': ['Audit log', 'Changes with their authors, and refused requests.'],
  models: ['Models', 'The models that the service lists, with their prices.'],
  usage: ['Usage', 'Limits of requests, and quotas of stored data and running work.'],
  health: ['Service', 'The state and the documentation of the service.'],
  openapi: ['Service', 'The state and the documentation of the service.'],
  downloads: ['Service', 'The state and the documentation of the service.'],
} as const;

/** The tags in the order of a reference. */
export const describedTags = [
  ...new Map(Object.values(tags).map(([name, description]) => [name, { name, description }])).values(),
];

/** @throws Error if the operation's group has no tag */
export function tagOf(operationId: string): string {
  const group = operationId.split('.')[0] as keyof typeof tags;
  const tag = tags[group];
  if (!tag) throw new Error(`scripts/openapi/overview.ts has no tag for "${group}"`);
  return tag[0];
}
