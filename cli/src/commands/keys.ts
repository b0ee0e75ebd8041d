/** The commands of API keys. */

import type { Command } from 'commander';
import type {
  ApiKeyCreateRequest,
  ApiKeyRotateRequest,
  ApiKeysListQuery,
  ApiKeyUpdateRequest,
} from '../../../clients/typescript/src/index.ts';
import { checkId, type Define } from '../command.ts';
import type { Credentials } from '../config/credentials.ts';
import { type GrantOptions, grantSpecs, keyGrantFrom } from '../grants.ts';
import { bodyFrom, confirm, endingPrevious } from '../input.ts';
import { type ListOptions, listOptions, printList } from '../lists.ts';

type Fields = GrantOptions & { name?: string; data?: string };

const name = ['--name <name>', 'what it is for'] as const;
const wholeBody = ['--data <json>', 'the whole body: JSON, @file, or - for standard input'] as const;

/** @returns the options of fields */
const grant = (...fields: readonly string[]) => fields.flatMap((field) => grantSpecs[field] ?? []);

/** @returns the next step after the rotation of the secret in use */
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
      ['--status <status>', 'only keys with this status', { choices: ['active', 'revoked', 'expired'] }],
      ['--expires-before <time>', 'only keys that expire before then, such as 2026-12-31T00:00:00Z'],
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

  define<Fields>(parent, {
    name: 'create',
    summary: 'Creates a key, and shows its secret once',
    creates: true,
    options: [
      name,
      ...grant('scopes', 'projectIds', 'environments', 'allowedCidrs', 'rateLimit', 'expiresIn'),
      wholeBody,
    ],
    examples: [
      'keys create --name "nightly job" --scope conversations:read --expires-in 30d',
      'keys create --name report --scope projects:read --project-id Shop --rate-limit 100/1m',
      'keys create --name staging --scope deploy:write --environment staging',
      'keys create --name ci --scope deploy:write --scope knowledge:write --json | jq -r .secret',
    ],
    async run({ platform, shell, out }, { data, idempotencyKey, ...options }) {
      const fields = { name: options.name, ...keyGrantFrom(options) };
      const body = await bodyFrom<ApiKeyCreateRequest>(shell, data, fields);
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
      const keyId = id === 'me' ? (await apiKeys.me()).id : checkId(id);
      const key = await endingPrevious(shell, (end) =>
        apiKeys.rotate(keyId, { ...body, ...end }, { idempotencyKey }),
      );
      await out.item(key);
      const { previousSecretExpiresAt: end } = key;
      out.note(
        `Keep the secret: it is not shown again. The old one ${end ? `is valid until ${end}` : 'has ended'}.`,
      );
      if (id === 'me') out.note(storeNewSecret(credentials));
    },
  });

  define<Fields>(parent, {
    name: 'update <id>',
    summary: 'Changes the name, the scopes, the addresses, the limit or the end of a key',
    options: [name, ...grant('scopes', 'allowedCidrs', 'rateLimit', 'expiresIn'), wholeBody],
    examples: [
      'keys update key_01JZ4Y7Q8R5T2V9W3X6B0C1D4E --scope projects:read',
      'keys update key_01JZ4Y7Q8R5T2V9W3X6B0C1D4E --expires-in 90d',
    ],
    async run({ platform, shell, out }, { data, ...options }, id) {
      const fields = { name: options.name, ...keyGrantFrom(options) };
      const body = await bodyFrom<ApiKeyUpdateRequest>(shell, data, fields);
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
