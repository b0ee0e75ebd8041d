/** The commands of avatars. */

import type { Command } from 'commander';
import type {
  AvatarCreateRequest,
  AvatarModelInput,
  AvatarPutRequest,
  AvatarsListQuery,
  AvatarUpdateRequest,
} from '../../../clients/typescript/src/index.ts';
import { checkId, type Define, wholeNumber } from '../command.ts';
import { usageError } from '../errors.ts';
import { externalIdFilter, putHelp } from '../external-ids.ts';
import { bodyFrom, confirm, jsonFrom, metadataFrom } from '../input.ts';
import { type ListOptions, listOptions, printList } from '../lists.ts';
import { type CreatedOptions, createdFrom, createdOptions } from '../period.ts';
import type { Shell } from '../shell.ts';

type Fields = {
  name?: string;
  prompt?: string;
  greeting?: string;
  language?: string;
  knowledgeTag?: string[];
  model?: string;
  temperature?: string;
  maxTokens?: number;
  runtime?: string;
  metadata?: string[];
  data?: string;
  status?: 'active' | 'archived';
};

const fieldOptions = [
  ['--name <name>', 'a display name'],
  ['--prompt <text>', 'who it is and how it behaves'],
  ['--greeting <text>', 'the first thing that it says'],
  ['--language <tag>', 'such as en or de-CH'],
  ['--knowledge-tag <tag>', 'it knows the documents with this tag; several times', { repeat: true }],
  ['--model <id>', 'the model that answers for it, one of those that the service lists; null for none'],
  ['--temperature <number>', 'with --model: how much answers vary, from 0 to 1'],
  [
    '--max-tokens <n>',
    'with --model: the most tokens of an answer',
    { parse: wholeNumber('--max-tokens', 1, 4096) },
  ],
  ['--runtime <json>', 'JSON for your own runtime: JSON, @file, or - for standard input'],
  ['--metadata <key=value>', 'your own data; several times', { repeat: true }],
  ['--data <json>', 'the whole body: JSON, @file, or - for standard input'],
] as const;

/** @returns the fields of the persona that have an option; undefined if none has one */
function personaFrom({ prompt, greeting, language }: Fields) {
  const persona = Object.entries({ prompt, greeting, language }).filter(([, value]) => value !== undefined);
  return persona.length > 0 ? Object.fromEntries(persona) : undefined;
}

/** @returns the model as a whole: the API replaces it, so its settings are nothing without their model */
function modelFrom({ model, temperature, maxTokens }: Fields): AvatarModelInput | null | undefined {
  if (temperature !== undefined && !/^\d+(\.\d+)?$/.test(temperature))
    throw usageError('--temperature must be a number from 0 to 1.');
  const settings = {
    ...(temperature !== undefined && { temperature: Number(temperature) }),
    ...(maxTokens !== undefined && { maxTokens }),
  };
  if (model !== undefined && model !== 'null') return { modelId: model, ...settings };
  if (Object.keys(settings).length > 0) throw usageError('--temperature and --max-tokens need --model ID.');
  return model === undefined ? undefined : null;
}

const fieldsFrom = async (shell: Shell, options: Fields) => ({
  name: options.name,
  persona: personaFrom(options),
  knowledgeTags: options.knowledgeTag,
  model: modelFrom(options),
  runtime: await jsonFrom(shell, '--runtime', options.runtime),
  metadata: metadataFrom(options.metadata),
});

export function addAvatars(program: Command, define: Define): void {
  const parent = program
    .command('avatars')
    .summary('Avatars of a project')
    .description('Avatars of a project.');

  define<ListOptions & AvatarsListQuery & CreatedOptions>(parent, {
    name: 'list',
    summary: 'Lists the avatars, newest first',
    project: true,
    options: [
      ...listOptions,
      ['--status <status>', 'only avatars with this status', { choices: ['active', 'archived'] }],
      ['--name-prefix <text>', 'only avatars whose name starts with this text'],
      externalIdFilter,
      ...createdOptions,
    ],
    examples: ['avatars list --status active'],
    run(session, { status, namePrefix, externalId, ...options }) {
      const filters = {
        status,
        namePrefix,
        externalId,
        ...createdFrom(options, session.shell.nowMs()),
      };
      return printList(session, options, (page) => session.project.avatars.list({ ...filters, ...page }), {
        id: ({ id }) => id,
        name: ({ name }) => name,
        version: ({ version }) => version,
        status: ({ status: one }) => one,
        updated: ({ updatedAt }) => updatedAt,
        'knowledge tags': ({ knowledgeTags }) => knowledgeTags,
      });
    },
  });

  define(parent, {
    name: 'get <id>',
    summary: 'Shows an avatar',
    project: true,
    examples: ['avatars get avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E'],
    run: async ({ project, out }, _options, id) => out.item(await project.avatars.get(checkId(id))),
  });

  define<Fields>(parent, {
    name: 'create',
    summary: 'Creates an avatar',
    project: true,
    creates: true,
    options: fieldOptions,
    examples: ['avatars create --name Clara --prompt "You help customers of a shop." --knowledge-tag shop'],
    async run({ project, shell, out }, options) {
      const body = await bodyFrom<AvatarCreateRequest>(shell, options.data, await fieldsFrom(shell, options));
      await out.item(await project.avatars.create(body, { idempotencyKey: options.idempotencyKey }));
    },
  });

  define<Fields & { ifMatch?: string }>(parent, {
    name: 'put <external-id>',
    summary: 'Creates or replaces the avatar with an id of your own',
    details: putHelp,
    project: true,
    options: [...fieldOptions, ['--if-match <etag>', 'only this version']],
    examples: ['avatars put clara --name Clara --prompt "You help customers of a shop."'],
    async run({ project, shell, out }, options, externalId) {
      const body = await bodyFrom<AvatarPutRequest>(shell, options.data, await fieldsFrom(shell, options));
      const { outcome, avatar } = await project.avatars.put(externalId, body, { ifMatch: options.ifMatch });
      await out.item({ outcome, ...avatar });
    },
  });

  define<Fields & { ifMatch?: string }>(parent, {
    name: 'update <id>',
    summary: 'Changes an avatar, which makes a new version',
    project: true,
    options: [
      ...fieldOptions,
      ['--status <status>', 'deployments include active avatars', { choices: ['active', 'archived'] }],
      ['--if-match <etag>', 'only this version'],
    ],
    examples: ['avatars update avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E --prompt "You greet customers by name."'],
    async run({ project, shell, out }, options, id) {
      const changes = { ...(await fieldsFrom(shell, options)), status: options.status };
      const body = await bodyFrom<AvatarUpdateRequest>(shell, options.data, changes);
      await out.item(await project.avatars.update(checkId(id), body, { ifMatch: options.ifMatch }));
    },
  });

  define<{ yes?: boolean }>(parent, {
    name: 'delete <id>',
    summary: 'Deletes an avatar that no environment serves',
    project: true,
    options: [['--yes', 'without a question']],
    examples: ['avatars delete avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E --yes'],
    async run({ project, shell, out }, { yes }, id) {
      await confirm(shell, `Delete the avatar ${checkId(id)}?`, yes);
      await out.item(await project.avatars.delete(id));
    },
  });

  define<ListOptions>(parent, {
    name: 'versions <id>',
    summary: 'Lists the versions of an avatar, newest first',
    project: true,
    options: listOptions,
    examples: ['avatars versions avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E'],
    run: (session, options, id) =>
      printList(session, options, (page) => session.project.avatars.versions.list(checkId(id), page), {
        version: ({ version }) => version,
        name: ({ name }) => name,
        status: ({ status }) => status,
        created: ({ createdAt }) => createdAt,
        by: ({ createdBy }) => createdBy,
      }),
  });
}
