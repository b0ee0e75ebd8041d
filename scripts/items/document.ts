/** What the documents say of the kinds of items: the key table in docs/storage.md, and docs/items.md. */

import { tableNames, tables } from '../../lib/dynamodb/tables.ts';
import { apiKeyKinds } from './api-keys.ts';
import { auditKinds } from './audit.ts';
import { avatarKinds } from './avatars.ts';
import { conversationKinds } from './conversations.ts';
import { deploymentKinds } from './deployments.ts';
import { eventKinds } from './events.ts';
import { goneKinds } from './gone.ts';
import { idempotencyKinds } from './idempotency.ts';
import { jobKinds } from './jobs.ts';
import type { Kind } from './kind.ts';
import { knowledgeKinds } from './knowledge.ts';
import { limitKinds } from './limits.ts';
import { projectKinds } from './projects.ts';
import { scheduleKinds } from './schedule.ts';
import { webhookKinds } from './webhooks.ts';

/** Every kind of item; a domain adds its own here. */
export const kinds: readonly Kind[] = [
  ...apiKeyKinds,
  ...projectKinds,
  ...avatarKinds,
  ...deploymentKinds,
  ...jobKinds,
  ...conversationKinds,
  ...idempotencyKinds,
  ...knowledgeKinds,
  ...goneKinds,
  ...scheduleKinds,
  ...auditKinds,
  ...eventKinds,
  ...limitKinds,
  ...webhookKinds,
];

const showValue = (_: string, value: unknown) => {
  if (value instanceof Uint8Array) return '(bytes)';
  return value instanceof Set ? [...value] : value;
};

const head = ['| table | `tenant` | `id` | removed by TTL | stream |', '|---|---|---|---|---|'];

export const titleOf = ({ table, tenantText, idText }: Kind) => `${table}: ${tenantText} ${idText}`;

/** A heading's anchor, as GitHub makes it. */
export const anchorOf = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

function rowOf(kind: Kind): string {
  const { table, tenantText, idText, about, removed } = kind;
  const id = `[\`${idText}\`](items.md#${anchorOf(titleOf(kind))})${about === undefined ? '' : `: ${about}`}`;
  return `| ${table} | \`${tenantText}\` | ${id} | ${removed} | ${tables[table].stream ? 'yes' : 'no'} |`;
}

export const keyTable = (): string =>
  [...head, ...tableNames.flatMap((table) => kinds.filter((kind) => kind.table === table).map(rowOf))].join(
    '\n',
  );

const begin = '<!-- items -->\n';
const end = '<!-- /items -->';

/** @returns the document with the table between its marks */
export function withKeyTable(document: string): string {
  const [before, after] = [document.indexOf(begin) + begin.length, document.indexOf(end)];
  return `${document.slice(0, before)}${keyTable()}\n${document.slice(after)}`;
}

export function itemsDocument(): string {
  const sections = tableNames
    .flatMap((table) => kinds.filter((kind) => kind.table === table))
    .map((kind) => {
      const { optional, example } = kind;
      const note =
        optional.length === 0
          ? ''
          : `Not every item has ${optional.map((name) => `\`${name}\``).join(', ')}.\n\n`;
      return `## ${titleOf(kind)}\n\n${note}\`\`\`json\n${JSON.stringify(example, showValue, 2)}\n\`\`\`\n`;
    });
  return `# Items

One complete example of each kind of item in DynamoDB. [storage.md](storage.md) explains the [keys](storage.md#keys) and
the [stamps](storage.md#changes), the attributes \`changed…\`. Resources have all of them, and so
have uploads and deliveries that a request has changed last. Other items have only the first and the last. \`changedFrom\`, \`changedUsing\` and \`changedRequest\` are missing if a worker or a script has made the change. \`changedAs\` is on what an
endpoint has changed that [states an event](events.md#what-is-an-event). \`changedAfterMs\` is on an item whose
last change had to wait for others, and says how long.

\`npm run generate\` writes this page from the types of the stored items.

${sections.join('\n')}`;
}
