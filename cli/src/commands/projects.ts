/** The commands of projects. */

import type { Command } from 'commander';
import type {
  ProjectCreateRequest,
  ProjectPutRequest,
  ProjectsListQuery,
  ProjectUpdateRequest,
} from '../../../clients/typescript/src/index.ts';
import { checkId, type Define } from '../command.ts';
import { usageError } from '../errors.ts';
import { externalIdFilter, putHelp } from '../external-ids.ts';
import { bodyFrom, confirm, metadataFrom } from '../input.ts';
import { type ListOptions, listOptions, printList } from '../lists.ts';
import { type CreatedOptions, createdFrom, createdOptions } from '../period.ts';
import { useProject } from './login.ts';

type Fields = { name?: string; description?: string; metadata?: string[]; data?: string };

const fieldOptions = [
  ['--name <name>', 'a display name'],
  ['--description <text>', 'what it is for'],
  ['--metadata <key=value>', 'your own data; several times', { repeat: true }],
  ['--data <json>', 'the whole body: JSON, @file, or - for standard input'],
] as const;

export function addProjects(program: Command, define: Define): void {
  const parent = program.command('projects').summary('Projects').description('Projects.');

  define<ListOptions & ProjectsListQuery & CreatedOptions>(parent, {
    name: 'list',
    summary: 'Lists the projects, newest first',
    options: [
      ...listOptions,
      ['--status <status>', 'only projects with this status', { choices: ['active', 'archived'] }],
      externalIdFilter,
      ...createdOptions,
    ],
    examples: ['projects list', 'projects list --json | jq -r .id'],
    run: (session, { status, externalId, ...options }) => {
      const filters = { status, externalId, ...createdFrom(options, session.shell.nowMs()) };
      return printList(session, options, (page) => session.platform.projects.list({ ...filters, ...page }), {
        id: ({ id }) => id,
        name: ({ name }) => name,
        status: ({ status: one }) => one,
        created: ({ createdAt }) => createdAt,
      });
    },
  });

  define(parent, {
    name: 'get <id>',
    summary: 'Shows a project',
    examples: ['projects get proj_01JZ4Y7Q8R5T2V9W3X6B0C1D4E'],
    run: async ({ platform, out }, _options, id) => out.item(await platform.projects.get(checkId(id))),
  });

  define<Fields>(parent, {
    name: 'create',
    summary: 'Creates a project',
    creates: true,
    options: fieldOptions,
    examples: [
      'projects create --name Support',
      'projects create --name Support --idempotency-key setup-1 --json | jq -r .id',
    ],
    async run({ platform, shell, out }, { name, description, metadata, data, idempotencyKey }) {
      const fields = { name, description, metadata: metadataFrom(metadata) };
      const body = await bodyFrom<ProjectCreateRequest>(shell, data, fields);
      await out.item(await platform.projects.create(body, { idempotencyKey }));
    },
  });

  define<Fields>(parent, {
    name: 'put <external-id>',
    summary: 'Creates or replaces the project with an id of your own',
    details: putHelp,
    options: fieldOptions,
    examples: ['projects put support --name Support'],
    async run({ platform, shell, out }, { name, description, metadata, data }, externalId) {
      const fields = { name, description, metadata: metadataFrom(metadata) };
      const body = await bodyFrom<ProjectPutRequest>(shell, data, fields);
      const { outcome, project } = await platform.projects.put(externalId, body);
      await out.item({ outcome, ...project });
    },
  });

  define<Fields & { status?: 'active' | 'archived' }>(parent, {
    name: 'update <id>',
    summary: 'Changes a project',
    options: [
      ...fieldOptions,
      ['--status <status>', 'archived projects cannot be changed', { choices: ['active', 'archived'] }],
    ],
    examples: ['projects update proj_01JZ4Y7Q8R5T2V9W3X6B0C1D4E --status archived'],
    async run({ platform, shell, out }, { name, description, metadata, status, data }, id) {
      const fields = { name, description, metadata: metadataFrom(metadata), status };
      await out.item(
        await platform.projects.update(
          checkId(id),
          await bodyFrom<ProjectUpdateRequest>(shell, data, fields),
        ),
      );
    },
  });

  define<{ yes?: boolean }>(parent, {
    name: 'delete <id>',
    summary: 'Deletes a project. It can be restored for 7 days',
    options: [['--yes', 'without a question']],
    examples: ['projects delete proj_01JZ4Y7Q8R5T2V9W3X6B0C1D4E --yes'],
    async run({ platform, shell, out }, { yes }, id) {
      await confirm(shell, `Delete ${checkId(id)} with everything in it?`, yes);
      await out.item(await platform.projects.delete(id));
    },
  });

  define(parent, {
    name: 'restore <id>',
    summary: 'Restores a deleted project',
    creates: true,
    examples: ['projects restore proj_01JZ4Y7Q8R5T2V9W3X6B0C1D4E'],
    run: async ({ platform, out }, { idempotencyKey }, id) =>
      out.item(await platform.projects.restore(checkId(id), { idempotencyKey })),
  });

  define(parent, {
    name: 'purge <id>',
    summary: 'Shows how far the data of a deleted project is removed',
    examples: ['projects purge proj_01JZ4Y7Q8R5T2V9W3X6B0C1D4E'],
    run: async ({ platform, out }, _options, id) => out.item(await platform.projects.purge(checkId(id))),
  });

  define(parent, {
    name: 'use <id>',
    summary: 'Chooses the project that the profile uses without --project',
    examples: ['projects use proj_01JZ4Y7Q8R5T2V9W3X6B0C1D4E'],
    async run({ platform, shell, out, credentials: { from } }, _options, id) {
      if (from.kind !== 'profile')
        throw usageError('There is no profile to store it in.', `Set PLATFORM_PROJECT=${checkId(id)}`);
      const { name } = await platform.projects.get(checkId(id));
      await useProject(shell, from.name, id);
      out.note(`The profile ${from.name} uses the project ${name} (${id}).`);
    },
  });
}
