/** The operations of the API, from openapi.json (scripts/openapi/cli.ts). Their file is not in git: scripts/openapi/derived.ts makes it. */

import generated from '../generated/operations.json' with { type: 'json' };

export type Field = {
  name: string;
  text: string;
  required: boolean;
  /** A `list` has several texts. A `json` field is only in --data. */
  kind: 'text' | 'time' | 'number' | 'boolean' | 'list' | 'json';
  choices?: readonly string[];
};

export type Operation = {
  /** The id of the endpoint, such as `webhooks.deliveries.list`. */
  id: string;
  method: string;
  path: string;
  summary: string;
  isList: boolean;
  query: readonly Field[];
  body: readonly Field[];
};

/** The form that the generator writes, which leaves out usual values. */
type Written<Value, Usual extends keyof Value> = Omit<Value, Usual> & Partial<Pick<Value, Usual>>;
type WrittenField = Written<Field, 'required' | 'kind'>;
type WrittenOperation = Written<Omit<Operation, 'query' | 'body'>, 'isList'> & {
  query?: readonly WrittenField[];
  body?: readonly WrittenField[];
};

const fieldsFrom = (fields: readonly WrittenField[] = []): Field[] =>
  fields.map((field) => ({ required: false, kind: isFlag(field) ? 'boolean' : 'text', ...field }));

/** In a query, `true` and `false` are texts. */
const isFlag = ({ choices = [] }: WrittenField) => choices.join() === 'true,false';

// In JSON, a kind is any string for TypeScript.
export const operations: readonly Operation[] = (generated as readonly WrittenOperation[]).map(
  ({ query, body, ...rest }) => ({
    isList: false,
    ...rest,
    query: fieldsFrom(query),
    body: fieldsFrom(body),
  }),
);

/** The words of the API that are others on the command line. */
const words: Readonly<Record<string, string>> = {
  'api-keys': 'keys',
  'audit-events': 'audit',
  rollouts: 'rollout',
};

/** Commands that people use often, or whose names read better, have names of their own. */
const names: Readonly<Record<string, string>> = {
  'api-keys.me': 'keys get',
  'api-keys.revoke-me': 'keys revoke',
  'me.get': 'whoami',
  'usage.get': 'usage',
  'projects.usage': 'usage',
  'projects.usage-days': 'usage days',
  'deployments.create': 'deploy',
  'deployments.rollback': 'rollback',
  'avatars.versions.list': 'avatars versions',
  'avatars.versions.get': 'avatars version',
  'conversations.scores.put': 'scores set',
  'evaluation-runs.create': 'evaluate',
  'evaluators.versions.list': 'evaluators versions',
  'evaluators.versions.get': 'evaluators version',
  'exports.create': 'export conversations',
  'exports.get': 'export get',
  'knowledge.documents.batch': 'documents batch',
  'conversations.import': 'conversations import-lines',
  'conversations.import-file': 'conversations import',
  'knowledge.sources.list-pages': 'knowledge sources pages',
  'rollouts.get': 'rollout status',
  'webhooks.deliveries.list': 'webhooks deliveries',
  'webhooks.deliveries.redeliver': 'webhooks redeliver',
};

/** Resources that keep the name of the resource that they are in: `sources` alone could be the sources of documents. */
const nested = /^knowledge\.sources\./;

/** @returns the words behind `platform`: the words of the id, without the resource that the operation's resource is in */
export function commandOf({ id }: Pick<Operation, 'id'>): string {
  const name = Object.hasOwn(names, id) ? names[id] : undefined;
  if (name !== undefined) return name;
  const parts = id.split('.').map((part) => (Object.hasOwn(words, part) ? words[part] : part));
  return parts.slice(nested.test(id) ? -3 : -2).join(' ');
}

/** @returns `event-type` for `eventTypes`: an option that may be given several times has a name in the singular */
export function optionOf({ name, kind }: Pick<Field, 'name' | 'kind'>): string {
  const hyphenated = name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return kind === 'list' ? hyphenated.replace(/ies$/, 'y').replace(/(?<!s)s$/, '') : hyphenated;
}
