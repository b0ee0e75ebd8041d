/** API keys. */

import type { Command } from 'commander';
import type {
  ApiKeyCreateRequest,
  ApiKeysListQuery,
  ApiKeyUpdateRequest,
} from '../../../client/src/index.ts';
import { checkId, type Define } from '../command.ts';
import { bodyFrom, confirm } from '../input.ts';
import { type ListOptions, listOptions, printList } from '../lists.ts';

type Scopes = ApiKeyCreateRequest['scopes'];

export function addKeys(program: Command, define: Define): void {
  const parent = program.command('keys').summary('API keys').description('API keys.');

  define<ListOptions & ApiKeysListQuery>(parent, {
    name: 'list',
    summary: 'Lists the keys',
    options: [
      ...listOptions,
      ['--status <status>', 'only these', { choices: ['active', 'revoked', 'expired'] }],
    ],
    examples: ['keys list --status active'],
    run: (session, { status, ...options }) =>
      printList(session, options, (page) => session.platform.apiKeys.list({ status, ...page }), {
        id: ({ id }) => id,
        name: ({ name }) => name,
        scopes: ({ scopes }) => scopes,
        status: ({ status: one }) => one,
        expires: ({ expiresAt }) => expiresAt ?? 'never',
        'last used': ({ lastUsedAt }) => lastUsedAt ?? 'never',
      }),
  });

  define(parent, {
    name: 'get <id>',
    summary: 'Shows a key, without its secret',
    details: 'The id `me` means the key that you use.',
    examples: ['keys get me', 'keys get key_01JZ4Y7Q8R5T2V9W3X6B0C1D4E'],
    async run({ platform: { apiKeys }, out }, _options, id) {
      await out.item(await (id === 'me' ? apiKeys.me() : apiKeys.get(checkId(id))));
    },
  });

  define<{ name?: string; scope?: string[]; expiresIn?: string; bind?: string[]; data?: string }>(parent, {
    name: 'create',
    summary: 'Creates a key, and shows its secret once',
    creates: true,
    options: [
      ['--name <name>', 'what it is for'],
      ['--scope <scope>', 'what it may do, such as knowledge:write; several times', { repeat: true }],
      ['--expires-in <time>', 'such as 12h, 30d or 4w'],
      ['--bind <project>', 'only this project; several times', { repeat: true }],
      ['--data <json>', 'the whole body: JSON, @file, or - for standard input'],
    ],
    examples: [
      'keys create --name "nightly job" --scope conversations:read --expires-in 30d',
      'keys create --name ci --scope deploy:write --scope knowledge:write --json | jq -r .secret',
    ],
    async run({ platform, shell, out }, { name, scope, expiresIn, bind, data, idempotencyKey }) {
      const body = await bodyFrom<ApiKeyCreateRequest>(shell, data, {
        name,
        scopes: scope as Scopes | undefined,
        expiresIn,
        projectIds: bind,
      });
      await out.item(await platform.apiKeys.create(body, { idempotencyKey }));
      out.note('Keep the secret: it is not shown again.');
    },
  });

  define<{ name?: string; scope?: string[] }>(parent, {
    name: 'update <id>',
    summary: 'Changes the name or the scopes of a key',
    options: [
      ['--name <name>', 'what it is for'],
      ['--scope <scope>', 'all that it may do; several times', { repeat: true }],
    ],
    examples: ['keys update key_01JZ4Y7Q8R5T2V9W3X6B0C1D4E --scope projects:read'],
    async run({ platform, shell, out }, { name, scope }, id) {
      const body = await bodyFrom<ApiKeyUpdateRequest>(shell, undefined, {
        name,
        scopes: scope as Scopes | undefined,
      });
      await out.item(await platform.apiKeys.update(checkId(id), body));
    },
  });

  define<{ yes?: boolean }>(parent, {
    name: 'revoke <id>',
    summary: 'Ends a key. The next request with it is refused',
    options: [['--yes', 'without a question']],
    examples: ['keys revoke key_01JZ4Y7Q8R5T2V9W3X6B0C1D4E --yes'],
    async run({ platform, shell, out }, { yes }, id) {
      await confirm(shell, `Revoke ${checkId(id)} for ever?`, yes);
      await out.item(await platform.apiKeys.revoke(id));
    },
  });
}
