/** Resources that a command can name: by an id, an external id, or a name. */

import type { Command } from 'commander';
import type { Platform, ProjectResources, WorkloadIdentity } from '../../clients/typescript/src/index.ts';
import { CliError, usageError } from './errors.ts';
import { safeLine } from './output/text.ts';

type Named = { id: string; name: string };

/** The clients that look up a name. */
export type Names = { platform: Platform; project: ProjectResources };

type Resource = {
  /** The start of its ids. */
  prefix: string;
  /** The command that lists them: `avatars`. */
  command: string;
  /** Lists the resources that a name could mean. A kind without this function is only named by ids. */
  list?: (names: Names, name: string | undefined) => AsyncIterable<Named>;
  /** Lists the resources with this external id. */
  external?: (names: Names, externalId: string) => AsyncIterable<Named>;
};

/** How many resources are read at most to find a name. */
const maxRead = 1000;

const page = { limit: 100 };

async function* withNames<Item extends { id: string }>(
  items: AsyncIterable<Item>,
  nameOf: (item: Item) => string | null,
): AsyncGenerator<Named> {
  for await (const item of items) yield { id: item.id, name: nameOf(item) ?? '' };
}

/** A suspended identity can be named, to make it active again. */
async function* currentIdentities(platform: Platform): AsyncGenerator<WorkloadIdentity> {
  for await (const identity of platform.workloadIdentities.list(page))
    if (identity.status === 'active' || identity.status === 'suspended') yield identity;
}

export const resources: Readonly<Record<string, Resource>> = {
  project: {
    prefix: 'proj',
    command: 'projects',
    list: ({ platform }) => withNames(platform.projects.list(page), ({ name }) => name),
    external: ({ platform }, externalId) =>
      withNames(platform.projects.list({ externalId }), ({ name }) => name),
  },
  avatar: {
    prefix: 'avtr',
    command: 'avatars',
    list: ({ project }, namePrefix) =>
      withNames(project.avatars.list({ ...page, ...(namePrefix && { namePrefix }) }), ({ name }) => name),
    external: ({ project }, externalId) =>
      withNames(project.avatars.list({ externalId }), ({ name }) => name),
  },
  document: {
    prefix: 'kdoc',
    command: 'documents',
    list: ({ project }) => withNames(project.knowledge.documents.list(page), ({ title }) => title),
    external: ({ project }, externalId) =>
      withNames(project.knowledge.documents.list({ externalId }), ({ source, title }) => source ?? title),
  },
  source: {
    prefix: 'src',
    command: 'knowledge sources',
    list: ({ project }) => withNames(project.knowledge.sources.list(page), ({ url }) => url),
  },
  evaluator: {
    prefix: 'eval',
    command: 'evaluators',
    list: ({ project }) => withNames(project.evaluators.list(page), ({ name }) => name),
  },
  key: {
    prefix: 'key',
    command: 'keys',
    list: ({ platform }) =>
      withNames(platform.apiKeys.list({ ...page, status: 'active' }), ({ name }) => name),
  },
  identity: {
    prefix: 'wid',
    command: 'workload-identities',
    list: ({ platform }) => withNames(currentIdentities(platform), ({ name }) => name),
  },
  webhook: {
    prefix: 'whk',
    command: 'webhooks',
    list: ({ platform }) =>
      withNames(platform.webhooks.list(page), ({ description, url }) => description ?? url),
  },
  delivery: { prefix: 'dlv', command: 'webhooks deliveries' },
  job: { prefix: 'job', command: 'jobs' },
  deployment: { prefix: 'dep', command: 'deployments' },
  conversation: {
    prefix: 'conv',
    command: 'conversations',
    external: ({ project }, externalId) =>
      withNames(project.conversations.list({ externalId }), ({ startedAt }) => startedAt),
  },
  event: { prefix: 'evt', command: 'events' },
  'audit event': { prefix: 'aud', command: 'audit' },
};

/** The kinds of resources that options name by an id or a name, by the name of the option. */
export const namedBy: Readonly<Record<string, string>> = {
  avatar: 'avatar',
  avatarId: 'avatar',
  evaluator: 'evaluator',
  project: 'project',
  projectId: 'project',
};

/** @returns the words of a command behind `platform`, such as `knowledge sources` */
export const wordsOf = (command: Command | null): string =>
  command?.parent ? [wordsOf(command.parent), command.name()].filter(Boolean).join(' ') : '';

/** @param command such as `avatars` or `knowledge sources` */
export const resourceOf = (command: string): string | undefined =>
  Object.keys(resources).find((name) => resources[name]?.command === command);

/** The form of the id of any resource. */
const ulid = /^[a-z]{2,5}_[0-7][0-9A-HJKMNP-TV-Z]{25}$/;

/** The most characters of an external id. */
const maxExternalId = 255;

/** How many resources with the same name, or the same external id in several sources, are listed. */
const maxSame = 10;

/**
 * @param kind the kind of resource that the text names; if it is no kind of resource, the text is not changed
 * @param text an id, an external id, or a name. An external id comes before a name
 * @returns the id
 * @throws CliError if no resource has it, or if several have it
 */
export async function idOf(names: Names, kind: string | undefined, text: string): Promise<string> {
  const resource = kind !== undefined && Object.hasOwn(resources, kind) ? resources[kind] : undefined;
  if (!resource || kind === undefined) return text;
  const { prefix, command, list, external } = resource;
  const isCurrentKey = kind === 'key' && text === 'me';
  if (isCurrentKey || new RegExp(`^${prefix}_[0-7][0-9A-HJKMNP-TV-Z]{25}$`).test(text)) return text;
  const [, givenPrefix = ''] = /^([a-z]{2,5})_[0-9A-Za-z]{20,32}$/.exec(text) ?? [];
  const form = `The id of ${/^[aei]/.test(kind) ? 'an' : 'a'} ${kind} is ${prefix}_ and 26 characters.`;
  const listCommand = `platform ${command}${list || !command.includes(' ') ? ' list' : ''}`;
  // `call_` and 24 characters may be an external id.
  const isId = givenPrefix === prefix || (external ? ulid.test(text) : givenPrefix !== '');
  if ((!list && !external) || isId) {
    const problem =
      givenPrefix !== '' && givenPrefix !== prefix
        ? `${text} is the id of something else.`
        : `This is not an id: ${JSON.stringify(text)}.`;
    throw usageError(`${problem} ${form}`, `To list them: ${listCommand}`);
  }
  const kinds = ['id', external && 'external id', list && 'name'].filter((one) => one !== undefined);
  const identifiers = [kinds.slice(0, -1).join(', '), kinds.at(-1)].join(' or ');
  if (text.trim() === '')
    throw usageError(`Which ${kind}? Its ${identifiers} is empty.`, `To list them: ${listCommand}`);
  const byExternalId = external && text.length <= maxExternalId ? await firstOf(external(names, text)) : [];
  if (byExternalId.length > 0) return onlyOne(byExternalId, 'external id', text);
  const byName: Named[] = [];
  let count = 0;
  for await (const item of list?.(names, text) ?? []) {
    if (item.name === text) byName.push(item);
    count += 1;
    if (count >= maxRead || byName.length > maxSame) break;
  }
  if (byName.length > 0) return onlyOne(byName, 'name', text);
  const where = count >= maxRead ? ` among the newest ${maxRead}` : '';
  throw new CliError(
    'notFound',
    `There is no ${kind} with this ${identifiers}${where}: ${JSON.stringify(text)}. ${form}`,
    `To list them: ${listCommand}`,
  );
}

async function firstOf(items: AsyncIterable<Named>): Promise<Named[]> {
  const first: Named[] = [];
  for await (const item of items) if (first.push(item) > maxSame) break;
  return first;
}

/** @throws CliError if there are several */
function onlyOne([first, ...others]: readonly Named[], what: string, text: string): string {
  if (first && others.length === 0) return first.id;
  const ids = [first, ...others].map((one) => one && `${one.id}  ${safeLine(one.name)}`);
  throw usageError(`Several have the ${what} ${JSON.stringify(text)}:\n  ${ids.join('\n  ')}`, 'Use an id.');
}
