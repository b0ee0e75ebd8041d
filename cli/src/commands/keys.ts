/** API keys. */

import type { Command } from 'commander';
import type {
  ApiKeyCreateRequest,
  ApiKeyRotateRequest,
  ApiKeysListQuery,
  ApiKeyUpdateRequest,
} from '../../../clients/typescript/src/index.ts';
import { checkId, type Define } from '../command.ts';
import type { Credentials } from '../config/credentials.ts';
import { usageError } from '../errors.ts';
import { bodyFrom, confirm, endingPrevious } from '../input.ts';
import { type ListOptions, listOptions, printList } from '../lists.ts';

type Scopes = ApiKeyCreateRequest['scopes'];
type Fields = { name?: string; scope?: string[]; expiresIn?: string; allow?: string[]; rateLimit?: string };

/** @returns the limit in a text such as 100/1m; null for `none` */
function rateLimitFrom(text: string | undefined): ApiKeyCreateRequest['rateLimit'] {
  if (text === undefined) return undefined;
  if (text === 'none') return null;
  const [, requests, per] = /^([1-9]\d{0,8})\/(1s|1m|1h)$/.exec(text) ?? [];
  if (requests === undefined || !isPeriod(per))
    throw usageError(`--rate-limit must be requests and a period, such as 100/1m, 5/1s or 1000/1h: ${text}`);
  return { requests: Number(requests), per };
}

const isPeriod = (per: string | undefined): per is '1s' | '1m' | '1h' =>
  per === '1s' || per === '1m' || per === '1h';

/** What to do after the secret in use was rotated. */
function storeNewSecret({ from }: Credentials): string {
  if (from.kind === 'profile')
    return `The profile ${from.name} still has the old secret. To store the new one: platform login --profile ${from.name}`;
  const place = from.kind === 'environment' ? 'PLATFORM_API_KEY' : from.file;
  return `${place} still has the old secret. Replace it with the new secret.`;
}

export function addKeys(program: Command, define: Define): void {
  const parent = program.command('keys').summary('API keys').description('API keys.');

  define<ListOptions & ApiKeysListQuery>(parent, {
    name: 'list',
    summary: 'Lists the keys',
    options: [
      ...listOptions,
      ['--status <status>', 'only these', { choices: ['active', 'revoked', 'expired'] }],
      ['--expires-before <time>', 'only these, such as 2026-12-31T00:00:00Z'],
      ['--created-by <id>', 'only those that this key or workload identity created'],
    ],
    examples: [
      'keys list --status active',
      'keys list --status active --expires-before 2026-12-31T00:00:00Z',
    ],
    run: (session, { status, expiresBefore, createdBy, ...options }) =>
      printList(
        session,
        options,
        (page) => session.platform.apiKeys.list({ status, expiresBefore, createdBy, ...page }),
        {
          id: ({ id }) => id,
          name: ({ name }) => name,
          status: ({ status: one }) => one,
          expires: ({ expiresAt }) => expiresAt ?? 'never',
          'last used': ({ lastUsedAt }) => lastUsedAt ?? 'never',
          scopes: ({ scopes }) => scopes,
          'created by': ({ createdBy }) => createdBy,
        },
      ),
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

  define<Fields & { bind?: string[]; data?: string }>(parent, {
    name: 'create',
    summary: 'Creates a key, and shows its secret once',
    creates: true,
    options: [
      ['--name <name>', 'what it is for'],
      ['--scope <scope>', 'a scope of the key, such as knowledge:write; several times', { repeat: true }],
      ['--expires-in <time>', 'such as 12h, 30d or 4w'],
      [
        '--allow <cidr>',
        'only from these addresses, such as 203.0.113.0/24; several times',
        { repeat: true },
      ],
      ['--bind <project>', 'only this project; several times', { repeat: true }],
      [
        '--rate-limit <limit>',
        'requests in a period (1s, 1m or 1h), such as 100/1m (default: that of your key)',
      ],
      ['--data <json>', 'the whole body: JSON, @file, or - for standard input'],
    ],
    examples: [
      'keys create --name "nightly job" --scope conversations:read --expires-in 30d',
      'keys create --name report --scope projects:read --rate-limit 100/1m',
      'keys create --name ci --scope deploy:write --scope knowledge:write --json | jq -r .secret',
    ],
    async run(
      { platform, shell, out },
      { name, scope, expiresIn, allow, bind, rateLimit, data, idempotencyKey },
    ) {
      const body = await bodyFrom<ApiKeyCreateRequest>(shell, data, {
        name,
        scopes: scope as Scopes | undefined,
        expiresIn,
        allowedCidrs: allow,
        projectIds: bind,
        rateLimit: rateLimitFrom(rateLimit),
      });
      await out.item(await platform.apiKeys.create(body, { idempotencyKey }));
      out.note('Keep the secret: it is not shown again.');
    },
  });

  define<{ overlap?: string; endPrevious?: boolean }>(parent, {
    name: 'rotate <id>',
    summary: 'Gives a key a new secret, and shows it once',
    details: 'The id `me` means the key that you use. Its old secret stays valid during the overlap.',
    creates: true,
    options: [
      ['--overlap <time>', 'how long the old secret stays valid: 0s, or such as 1h or 7d (default: 24h)'],
      ['--end-previous', 'ends the secret from before the last rotation, without a question'],
    ],
    examples: [
      'keys rotate me',
      'keys rotate key_01JZ4Y7Q8R5T2V9W3X6B0C1D4E --overlap 0s --end-previous --json | jq -r .secret',
    ],
    async run(session, { overlap, endPrevious, idempotencyKey }, id) {
      const { shell, out, credentials } = session;
      const { apiKeys } = session.platform;
      const body = await bodyFrom<ApiKeyRotateRequest>(shell, undefined, { overlap, endPrevious });
      const key = id === 'me' ? (await apiKeys.me()).id : checkId(id);
      const rotated = await endingPrevious(shell, (end) =>
        apiKeys.rotate(key, { ...body, ...end }, { idempotencyKey }),
      );
      await out.item(rotated);
      const { previousSecretExpiresAt: end } = rotated;
      out.note(
        `Keep the secret: it is not shown again. The old one ${end ? `is valid until ${end}` : 'has ended'}.`,
      );
      if (id === 'me') out.note(storeNewSecret(credentials));
    },
  });

  define<Fields & { data?: string }>(parent, {
    name: 'update <id>',
    summary: 'Changes the name, the scopes, the addresses, the limit or the end of a key',
    options: [
      ['--name <name>', 'what it is for'],
      ['--scope <scope>', 'all that it may do; several times', { repeat: true }],
      ['--expires-in <time>', 'from now on, such as 12h, 30d or 4w'],
      ['--allow <cidr>', 'only from these addresses; several times', { repeat: true }],
      ['--rate-limit <limit>', 'requests in a period, such as 100/1m, or none for no limit'],
      ['--data <json>', 'the whole body: JSON, @file, or - for standard input'],
    ],
    examples: [
      'keys update key_01JZ4Y7Q8R5T2V9W3X6B0C1D4E --scope projects:read',
      'keys update key_01JZ4Y7Q8R5T2V9W3X6B0C1D4E --expires-in 90d',
    ],
    async run({ platform, shell, out }, { name, scope, expiresIn, allow, rateLimit, data }, id) {
      const body = await bodyFrom<ApiKeyUpdateRequest>(shell, data, {
        name,
        scopes: scope as Scopes | undefined,
        expiresIn,
        allowedCidrs: allow,
        rateLimit: rateLimitFrom(rateLimit),
      });
      await out.item(await platform.apiKeys.update(checkId(id), body));
    },
  });

  define<{ yes?: boolean; children?: boolean; force?: boolean; dryRun?: boolean }>(parent, {
    name: 'revoke <id>',
    summary: 'Ends a key. The next request with it is refused',
    details: 'The id `me` means the key that you use.',
    options: [
      ['--children', 'also the keys and workload identities that it created, and theirs'],
      ['--force', 'even the last key that can create keys'],
      ['--dry-run', 'shows the effects, and changes nothing'],
      ['--yes', 'without a question'],
    ],
    examples: [
      'keys revoke key_01JZ4Y7Q8R5T2V9W3X6B0C1D4E --yes',
      'keys revoke key_01JZ4Y7Q8R5T2V9W3X6B0C1D4E --children --yes',
    ],
    async run({ platform: { apiKeys }, shell, out }, { yes, children, force, dryRun }, id) {
      const isOwn = id === 'me' && !children && !dryRun;
      await confirm(shell, `Revoke ${isOwn ? 'the key that you use' : checkId(id)} for ever?`, yes || dryRun);
      const query = {
        ...(children && { children: 'true' as const }),
        ...(force && { force: 'true' as const }),
        ...(dryRun && { dryRun: 'true' as const }),
      };
      const key = id === 'me' && !isOwn ? (await apiKeys.me()).id : id;
      await out.item(await (isOwn ? apiKeys.revokeMe() : apiKeys.revoke(key, query)));
    },
  });
}
