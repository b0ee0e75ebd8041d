/** The commands of conversations. The larger commands have files of their own. */

import type { Command } from 'commander';
import type {
  ConversationAppendRequest,
  ConversationCreateRequest,
  ConversationPutRequest,
  ConversationScore,
  ConversationStats,
  ConversationsListQuery,
  ConversationUpdateRequest,
} from '../../../clients/typescript/src/index.ts';
import { checkId, type Define } from '../command.ts';
import { usageError } from '../errors.ts';
import { externalIdFilter, putHelp } from '../external-ids.ts';
import { bodyFrom, confirm, metadataFrom } from '../input.ts';
import { type ListOptions, listOptions, printList } from '../lists.ts';
import { type PeriodOptions, periodFrom, periodOptions } from '../period.ts';
import { waitForJob, waitOptions } from './jobs.ts';

export type Filters = Pick<
  ConversationsListQuery,
  'tag' | 'channel' | 'status' | 'avatarId' | 'externalUserId' | 'deploymentId'
> & { score?: string[] | undefined; test?: boolean | undefined };
export type FilterOptions = Omit<Filters, 'avatarId' | 'externalUserId' | 'deploymentId' | 'test'> & {
  avatar?: string;
  user?: string;
  deployment?: string;
  test?: 'true' | 'false';
};
export type SelectOptions = FilterOptions & PeriodOptions;

export const filterOptions = [
  ['--tag <tag>', 'only those with this tag'],
  ['--avatar <id>', 'only those with this avatar'],
  ['--user <id>', 'only those with this externalUserId'],
  ['--deployment <id>', 'only those with this deployment'],
  ['--channel <name>', 'only those on this channel'],
  ['--status <status>', 'only conversations with this status', { choices: ['active', 'ended'] }],
  ['--test <which>', 'true: only test conversations; false: only the others', { choices: ['true', 'false'] }],
  [
    '--score <filter>',
    'only those with this score: csat:gte:3 (eq, ne, gt, gte, lt, lte) or csat:exists; up to three times',
    { repeat: true },
  ],
] as const;

export const filtersFrom = ({
  tag,
  channel,
  status,
  avatar,
  user,
  deployment,
  test,
  score,
}: FilterOptions): Filters => ({
  tag,
  channel,
  status,
  avatarId: avatar,
  externalUserId: user,
  deploymentId: deployment,
  test: test === undefined ? undefined : test === 'true',
  score,
});

/** The filters in the body of a request that starts a job. */
export function jobFiltersFrom(options: FilterOptions) {
  const { score: scores, ...filters } = filtersFrom(options);
  return { ...filters, scores };
}

/** @returns the scores as the text of a cell: `csat=3 goal=true` */
const scoresText = (scores: readonly ConversationScore[]): string =>
  scores
    .filter(({ reason }) => reason === null)
    .map(({ name, value }) => (value === null ? name : `${name}=${value}`))
    .join(' ');

type Counts = ConversationStats['totals'];

/** @returns the shares as `true: 75 %, false: 25 %`, without the values that no conversation has */
const sharesText = (score: Counts['score']): string | undefined =>
  score?.shares
    .filter(({ count }) => count > 0)
    .map(({ value, share }) => `${value}: ${Math.round(share * 100)} %`)
    .join(', ');

const tagAndMetadata = [
  ['--tag <tag>', 'a label; several times', { repeat: true }],
  ['--metadata <key=value>', 'your own data; several times', { repeat: true }],
] as const;
const wholeBody = ['--data <json>', 'the whole body: JSON, @file, or - for standard input'] as const;

type NewOptions = {
  avatar?: string;
  user?: string;
  channel?: string;
  test?: boolean;
  startedAt?: string;
  tag?: string[];
  metadata?: string[];
  data?: string;
};

const newOptions = [
  ['--avatar <id>', 'the avatar'],
  ['--user <id>', 'your own id of the user'],
  ['--channel <name>', 'such as web or phone'],
  ['--test', 'a test conversation: statistics, automatic evaluations and rollouts leave it out'],
  ['--started-at <time>', 'such as 2026-03-01T10:00:00Z (default: now)'],
  ...tagAndMetadata,
  wholeBody,
] as const;

const newFields = ({ avatar, user, channel, test, startedAt, tag, metadata }: NewOptions) => ({
  avatarId: avatar,
  externalUserId: user,
  channel,
  test,
  startedAt,
  tags: tag,
  metadata: metadataFrom(metadata),
});

export function addConversations(program: Command, define: Define): Command {
  const parent = program
    .command('conversations')
    .summary('Conversations of a project')
    .description('Conversations of a project.');

  define<ListOptions & SelectOptions & { order?: 'newest' | 'oldest'; externalId?: string }>(parent, {
    name: 'list',
    summary: 'Lists the conversations by their start',
    project: true,
    options: [
      ...listOptions,
      ...filterOptions,
      ...periodOptions,
      ['--order <order>', 'newest or oldest first', { choices: ['newest', 'oldest'] }],
      externalIdFilter,
    ],
    examples: [
      'conversations list --from yesterday --tag refund',
      'conversations list --status active --json',
      'conversations list --score csat:lt:3 --score goal_reached:eq:false',
    ],
    async run(session, { limit, all, order, externalId, ...options }) {
      const { startedFrom, startedBefore } = periodFrom(options, session.shell.nowMs());
      const query = { ...filtersFrom(options), startedFrom, startedBefore, order, externalId };
      await printList(
        session,
        { ...(limit !== undefined && { limit }), ...(all && { all }) },
        (page) => session.project.conversations.list({ ...query, ...page }),
        {
          id: ({ id }) => id,
          started: ({ startedAt }) => startedAt,
          status: ({ status }) => status,
          user: ({ externalUserId }) => externalUserId,
          channel: ({ channel }) => channel,
          test: ({ test }) => (test ? 'test' : undefined),
          messages: ({ messageCount }) => messageCount,
          tags: ({ tags }) => tags,
          scores: ({ scores }) => scoresText(scores),
        },
      );
    },
  });

  define(parent, {
    name: 'get <id>',
    summary: 'Shows a conversation, without its messages',
    project: true,
    examples: ['conversations get conv_01JZ4Y7Q8R5T2V9W3X6B0C1D4E'],
    run: async ({ project, out }, _options, id) => out.item(await project.conversations.get(checkId(id))),
  });

  define<NewOptions>(parent, {
    name: 'create',
    summary: 'Starts a conversation',
    project: true,
    creates: true,
    options: newOptions,
    examples: [
      'conversations create --avatar avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E --user customer-4711 --tag refund',
    ],
    async run({ project, shell, out }, { idempotencyKey, ...options }) {
      const body = await bodyFrom<ConversationCreateRequest>(shell, options.data, newFields(options));
      await out.item(await project.conversations.create(body, { idempotencyKey }));
    },
  });

  define<NewOptions & { resume?: boolean }>(parent, {
    name: 'put <external-id>',
    summary: 'Starts the conversation with an id of your own, or replaces its tags and metadata',
    details: `${putHelp} With --resume, an existing conversation is shown as it is, unless it has ended.`,
    project: true,
    options: [...newOptions, ['--resume', 'changes nothing if the conversation exists']],
    examples: [
      'conversations put call-4711 --avatar avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E --tag refund',
      'conversations put call-4711 --avatar avtr_01JZ4Y7Q8R5T2V9W3X6B0C1D4E --resume',
    ],
    async run({ project, shell, out }, { resume, ...options }, externalId) {
      const fields = { ...newFields(options), resume };
      const body = await bodyFrom<ConversationPutRequest>(shell, options.data, fields);
      const { outcome, conversation } = await project.conversations.put(externalId, body);
      await out.item({ outcome, ...conversation });
    },
  });

  define<{
    role?: ConversationAppendRequest['messages'][number]['role'];
    text?: string;
    clientMessageId?: string;
    data?: string;
  }>(parent, {
    name: 'append <id>',
    summary: 'Adds messages to a conversation',
    details: 'A message with a --client-message-id is stored once, even if you run the command again.',
    project: true,
    creates: true,
    options: [
      ['--role <role>', 'who says it', { choices: ['user', 'avatar', 'system', 'tool'] }],
      ['--text <text>', 'what is said'],
      ['--client-message-id <id>', 'your own id of the message'],
      ['--data <json>', 'several messages: {"messages":[…]} as JSON, @file, or - for standard input'],
    ],
    examples: [
      'conversations append conv_01JZ4Y7Q8R5T2V9W3X6B0C1D4E --role user --text "Where is my order?" --client-message-id m-1',
      'conversations append conv_01JZ4Y7Q8R5T2V9W3X6B0C1D4E --data @messages.json',
    ],
    async run({ project, shell, out }, { role, text, clientMessageId, data, idempotencyKey }, id) {
      if (data === undefined && (role === undefined || text === undefined))
        throw usageError('Add --role and --text, or --data.');
      const messages = role && text !== undefined ? [{ role, text, clientMessageId }] : undefined;
      const body = await bodyFrom<ConversationAppendRequest>(shell, data, { messages });
      if (!Array.isArray(body.messages)) throw usageError('--data must have messages: {"messages":[…]}');
      const { messages: rows } = await project.conversations.append(checkId(id), body, { idempotencyKey });
      await out.rows(rows, {
        seq: ({ seq }) => seq,
        role: ({ role: one }) => one,
        duplicate: ({ duplicate }) => (duplicate ? 'yes' : 'no'),
        text: ({ text: one }) => one,
      });
    },
  });

  define<{ tag?: string[]; metadata?: string[]; data?: string }>(parent, {
    name: 'update <id>',
    summary: 'Changes the tags or the metadata of a conversation',
    project: true,
    options: [...tagAndMetadata, wholeBody],
    examples: ['conversations update conv_01JZ4Y7Q8R5T2V9W3X6B0C1D4E --tag refund --tag solved'],
    async run({ project, shell, out }, { tag, metadata, data }, id) {
      const fields = { tags: tag, metadata: metadataFrom(metadata) };
      const body = await bodyFrom<ConversationUpdateRequest>(shell, data, fields);
      await out.item(await project.conversations.update(checkId(id), body));
    },
  });

  define<{ reason?: string; endedAt?: string }>(parent, {
    name: 'end <id>',
    summary: 'Ends a conversation',
    project: true,
    creates: true,
    options: [
      ['--reason <word>', 'completed, abandoned, error, or your own word', { default: 'completed' }],
      ['--ended-at <time>', 'such as 2026-03-01T10:00:00Z (default: now)'],
    ],
    examples: ['conversations end conv_01JZ4Y7Q8R5T2V9W3X6B0C1D4E --reason completed'],
    run: async ({ project, out }, { reason = 'completed', endedAt, idempotencyKey }, id) =>
      out.item(await project.conversations.end(checkId(id), { reason, endedAt }, { idempotencyKey })),
  });

  define<{ yes?: boolean }>(parent, {
    name: 'delete <id>',
    summary: 'Erases a conversation for ever',
    details: 'Repeat the command until purgedAt is set. Then nothing of the conversation is stored any more.',
    project: true,
    options: [['--yes', 'without a question']],
    examples: ['conversations delete conv_01JZ4Y7Q8R5T2V9W3X6B0C1D4E --yes'],
    async run({ project, shell, out }, { yes }, id) {
      await confirm(shell, `Erase ${checkId(id)} for ever?`, yes);
      await out.item(await project.conversations.delete(id));
    },
  });

  define<{ yes?: boolean; wait?: boolean; timeout?: number }>(parent, {
    name: 'erase <user>',
    summary: 'Erases all conversations with a user (externalUserId) for ever',
    project: true,
    creates: true,
    options: [...waitOptions, ['--yes', 'without a question']],
    examples: ['conversations erase customer-4711 --yes --wait'],
    async run(session, { yes, wait, timeout, idempotencyKey }, user) {
      await confirm(session.shell, `Erase all conversations with ${JSON.stringify(user)} for ever?`, yes);
      const job = await session.project.conversations.erase({ externalUserId: user }, { idempotencyKey });
      if (wait || timeout !== undefined) return waitForJob(session, job, timeout);
      await session.out.item(job);
    },
  });

  define<{ groupBy?: string; score?: string; test?: boolean } & PeriodOptions>(parent, {
    name: 'stats',
    summary: 'Counts conversations, messages, their mean duration and a score',
    details: 'A period consists of whole days in UTC. The default is the last 30 days.',
    project: true,
    options: [
      [
        '--group-by <what>',
        'day, avatar, channel, deployment, or the values of a score: score:csat (default: day)',
      ],
      ['--score <name>', 'also the mean of this score, and the shares of its values'],
      ['--test', 'count the test conversations instead of the others'],
      ...periodOptions,
    ],
    examples: [
      'conversations stats --group-by avatar --from 7d',
      'conversations stats --group-by deployment --score csat',
    ],
    async run({ project, shell, out }, { groupBy, score, test, ...period }) {
      const { startedFrom: from, startedBefore: to } = periodFrom(period, shell.nowMs());
      const stats = await project.conversations.stats({ groupBy, score, test, from, to });
      if (out.json) return out.jsonLine(stats);
      const totals = { key: 'all', ...stats.totals };
      await out.rows([...stats.items, totals], {
        [groupBy ?? 'day']: ({ key }) => key ?? '(none)',
        conversations: ({ conversations }) => conversations,
        messages: ({ messages }) => messages,
        'mean seconds': ({ meanDurationSeconds }) => meanDurationSeconds,
        ...(score !== undefined && {
          scored: (row: Counts) => row.score?.count,
          unknown: (row: Counts) => row.score?.unknown,
          mean: (row: Counts) => row.score?.mean,
          shares: (row: Counts) => sharesText(row.score),
        }),
      });
    },
  });
  return parent;
}
