/** The commands of the operations that have no command of their own: their arguments and options follow from the API. */

import type { Command } from 'commander';
import type {
  Delivery,
  Evaluator,
  KnowledgeSource,
  ListData,
  PagePromise,
  SourcePage,
  Webhook,
} from '../../../clients/typescript/src/index.ts';
import { type Define, type OptionSpec, wholeNumber } from '../command.ts';
import { usageError } from '../errors.ts';
import { expiresAtFrom, type GrantOptions, grantSpecs, rateLimitFrom } from '../grants.ts';
import { bodyFrom, confirm, endingPrevious } from '../input.ts';
import { type ListOptions, listOptions, printList } from '../lists.ts';
import type { Columns } from '../output/table.ts';
import { timeFrom } from '../period.ts';
import type { Session } from '../session.ts';
import { commandOf, type Field, type Operation, operations, optionOf } from './operation.ts';

const projectPath = '/projects/{project_id}/';

type Row = Readonly<Record<string, unknown>>;

const attemptsOf = (row: Row) => (row as Partial<Delivery>).attempts ?? [];

const refreshOf = ({ paused, lastRefresh }: Partial<KnowledgeSource>) =>
  paused ? 'paused' : lastRefresh?.status;

const healthOf = (row: Row) => (row as Partial<Webhook>).health?.status;

/** The columns and examples that the description of the API lacks, by command. */
const extras: Readonly<Record<string, { columns?: Columns<Row>; example?: string }>> = {
  'downloads list': {
    columns: {
      version: ({ version }) => version,
      kind: ({ kind }) => kind,
      install: ({ install }) => install,
    },
  },
  'knowledge sources list': {
    columns: {
      id: ({ id }) => id,
      url: ({ url }) => url,
      type: ({ type }) => type,
      refresh: ({ refresh }) => refresh,
      last: (row) => refreshOf(row),
      pages: (row) => (row as Partial<KnowledgeSource>).lastRefresh?.pages,
      next: ({ nextRefreshAt }) => nextRefreshAt,
    },
  },
  'knowledge sources pages': {
    columns: {
      url: ({ url }) => url,
      status: ({ status }) => status,
      document: ({ documentId }) => documentId,
      requested: ({ requestedAt }) => requestedAt,
      error: (row) => (row as Partial<SourcePage>).error?.message,
    },
    example: '--status failed',
  },
  'knowledge sources create': {
    example: "--type site --url https://docs.acme.example/ --include '/guides/*' --refresh 24h",
  },
  'knowledge sources update': { example: '--refresh 24h' },
  'evaluators list': {
    columns: {
      id: ({ id }) => id,
      name: ({ name }) => name,
      kind: ({ kind }) => kind,
      output: (row) => (row as Partial<Evaluator>).output?.type,
      status: ({ status, paused }) => (paused ? 'paused' : status),
      version: ({ version }) => version,
      updated: ({ updatedAt }) => updatedAt,
    },
  },
  'evaluators versions': {
    columns: {
      version: ({ version }) => version,
      status: ({ status, paused }) => (paused ? 'paused' : status),
      created: ({ createdAt }) => createdAt,
      by: ({ createdBy }) => createdBy,
    },
  },
  'evaluators create': {
    example: `--name short --kind rule --data '{"rule":{"messages":{"lte":4}}}'`,
  },
  'evaluators update': { example: '--status archived' },
  'webhooks list': {
    columns: {
      id: ({ id }) => id,
      url: ({ url }) => url,
      events: ({ eventTypes }) => eventTypes,
      sends: ({ disabled }) => (disabled ? 'no' : 'yes'),
      health: healthOf,
      created: ({ createdAt }) => createdAt,
    },
  },
  'webhooks deliveries': {
    columns: {
      id: ({ id }) => id,
      created: ({ createdAt }) => createdAt,
      status: ({ status }) => status,
      type: ({ eventType }) => eventType,
      tries: (row) => attemptsOf(row).length,
      last: (row) => attemptsOf(row).at(-1)?.error ?? attemptsOf(row).at(-1)?.status,
      next: ({ nextAttemptAt }) => nextAttemptAt,
    },
  },
  'webhooks create': { example: '--url https://example.com/hook --event-type job.failed' },
  'webhooks update': { example: '--disabled false' },
  'webhooks recover': { example: '--since 2h' },
  'workload-identities list': {
    columns: {
      id: ({ id }) => id,
      name: ({ name }) => name,
      status: ({ status }) => status,
      subject: ({ subject }) => subject,
      issuer: ({ issuer }) => issuer,
      'last used': ({ lastUsedAt }) => lastUsedAt ?? 'never',
      expires: ({ expiresAt }) => expiresAt ?? 'never',
      scopes: ({ scopes }) => scopes,
    },
    example: '--status active',
  },
  'workload-identities create': {
    example:
      '--name deploy --issuer https://token.actions.githubusercontent.com --subject repo:acme@2002/shop@1001:environment:production ' +
      `--scope deploy:write --data '{"claims":{"repository_id":"1001"}}'`,
  },
  'workload-identities update': { example: '--status suspended' },
  'documents batch': { example: '--data @documents.json' },
  'conversations import-lines': { example: '--data @conversations.json' },
};
const extrasOf = (command: string) => (Object.hasOwn(extras, command) ? (extras[command] ?? {}) : {});

/** Operations without a command, and why. */
const operationsWithoutCommand: Readonly<Record<string, string>> = {
  'uploads.create': '`conversations import` and `knowledge add` upload files.',
  'knowledge.evaluate': '`knowledge test` asks the questions of a file.',
  'exports.get': '`export download` waits for an export, and downloads its files.',
};

/** Whether an operation has no command on purpose. */
export const hasNoCommand = ({ id }: Operation): boolean => Object.hasOwn(operationsWithoutCommand, id);

/** @returns the command of these words; undefined if there is none */
export function commandAt(program: Command, words: string): Command | undefined {
  let command: Command | undefined = program;
  for (const word of words.split(' ')) command = command?.commands.find((one) => one.name() === word);
  return command;
}

/** Adds a command for each operation that has none. */
export function addDerived(program: Command, define: Define): void {
  for (const operation of operations) {
    const words = commandOf(operation);
    if (hasNoCommand(operation) || commandAt(program, words)) continue;
    const parent = words.split(' ').slice(0, -1).join(' ');
    if (parent === '') addCommand(program, define, operation);
    else addCommand(commandAt(program, parent) ?? newParent(program, parent), define, operation);
  }
}

/** The groups in the help of commands that are not in the last group. */
const groups: Readonly<Record<string, string>> = { 'workload-identities': 'Your key:' };

function newParent(program: Command, name: string): Command {
  const summary = name.replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase());
  const command = program.command(name).summary(summary);
  const group = Object.hasOwn(groups, name) ? groups[name] : undefined;
  return group === undefined ? command : command.helpGroup(group);
}

type Options = ListOptions & { data?: string; yes?: boolean };

function addCommand(parent: Command, define: Define, operation: Operation): void {
  const { method, path, summary, query, body } = operation;
  const words = commandOf(operation);
  const isInProject = path.startsWith(projectPath);
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).slice(isInProject ? 1 : 0);
  const argumentNames = parameters.map((name) =>
    parameters.length === 1 ? name.replace(/^.*_id$/, 'id') : name,
  );
  const isDeletion = method === 'DELETE';
  const { columns, example } = extrasOf(words);
  const exampleWords = [words, ...parameters.map(exampleOf), example, isDeletion && '--yes'];
  define<Options>(parent, {
    name: [words.split(' ').at(-1), ...argumentNames.map((name) => `<${name.replaceAll('_', '-')}>`)].join(
      ' ',
    ),
    summary,
    project: isInProject,
    creates: method === 'POST',
    arguments: parameters.map((name) => name.replace(/_id$/, '')),
    options: [
      ...(operation.isList ? listOptions : []),
      ...[...query, ...body].flatMap((field) => specsOf(operation, field)),
      ...(body.length > 0 ? [wholeBody] : []),
      ...(isDeletion ? [['--yes', 'without a question'] as const] : []),
    ],
    examples: [exampleWords.filter(Boolean).join(' ')],
    run: (session, options, ...values) => {
      const ids = [...(isInProject ? [session.projectId] : []), ...values];
      let at = 0;
      const url = path.replace(/\{\w+\}/g, () => encodeURIComponent(ids[at++] ?? ''));
      const search = valuesOf(session, query, options);
      return operation.isList
        ? printRows(session, url, search, options, columns)
        : send(session, operation, url, search, options);
    },
  });
}

const wholeBody = ['--data <json>', 'the whole body: JSON, @file, or - for standard input'] as const;

async function printRows(
  session: Session,
  url: string,
  search: Row,
  { limit, all }: ListOptions,
  columns: Columns<Row> | undefined,
): Promise<void> {
  const open = (page: { limit: number }) =>
    session.platform.paginate<Row>(url, { ...search, ...page }) as PagePromise<ListData & { items: Row[] }>;
  const options = { ...(limit !== undefined && { limit }), ...(all && { all }) };
  await printList(session, options, open, columns);
}

async function send(
  session: Session,
  operation: Operation,
  url: string,
  search: Row,
  options: Options & GrantOptions & { idempotencyKey?: string },
): Promise<void> {
  const { out, platform, shell } = session;
  const { method, query, body, summary } = operation;
  if (method === 'DELETE') await confirm(shell, `${summary}: ${url}?`, options.yes || search.dryRun === true);
  const fields = isGrant(operation)
    ? {
        ...valuesOf(
          session,
          body.filter(({ name }) => name !== 'expiresAt'),
          options,
        ),
        rateLimit: rateLimitFrom(options.rateLimit),
        expiresAt: expiresAtFrom(options, shell.nowMs()),
      }
    : valuesOf(session, body, options);
  const requestBody =
    body.length > 0 ? await bodyFrom<Record<string, unknown>>(shell, options.data, fields) : undefined;
  for (const field of [...query, ...body])
    if (field.required && !Object.hasOwn({ ...search, ...requestBody }, field.name))
      throw usageError(`--${field.kind === 'json' ? 'data' : optionOf(field)} is required: ${field.text}`);
  const { idempotencyKey } = options;
  const key = idempotencyKey !== undefined && { idempotencyKey };
  const data = await endingPrevious(shell, (end) =>
    platform.request<object>(method, url, {
      query: search,
      body: end ? { ...requestBody, ...end } : requestBody,
      ...key,
    }),
  );
  await out.item(data);
  if ('secret' in data) out.note('Keep the secret: it is not shown again.');
}

/** Whether the operation sets the permissions of a credential. */
const isGrant = ({ body }: Operation) => body.some(({ name }) => name === 'allowedCidrs');

/** @returns the options of a field */
function specsOf(operation: Operation, field: Field): readonly OptionSpec[] {
  const specs = Object.hasOwn(grantSpecs, field.name) ? grantSpecs[field.name] : undefined;
  if (specs && isGrant(operation)) return specs;
  return field.kind === 'json' ? [] : [specOf(field)];
}

/** @returns the option of a field */
export function specOf(field: Field): OptionSpec {
  const { kind, text, required } = field;
  const name = `--${optionOf(field)}`;
  const end = text.replace(/\.$/, '').replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());
  const description = `${end || optionOf(field)}${kind === 'list' ? '; several times' : ''}${required ? ' (required)' : ''}`;
  if (kind === 'boolean') return [`${name} [true|false]`, description, { choices: ['true', 'false'] }];
  if (kind === 'number')
    return [`${name} <n>`, description, { parse: wholeNumber(name, 0, Number.MAX_SAFE_INTEGER) }];
  if (kind === 'list') return [`${name} <value>`, description, { repeat: true }];
  if (kind === 'time') return [`${name} <time>`, description];
  // A newer API may have further values, so the command line does not check them.
  return [`${name} <text>`, description];
}

/** @returns the fields that have an option */
function valuesOf({ shell }: Session, fields: readonly Field[], options: object): Record<string, unknown> {
  const optionValues = options as Readonly<Record<string, unknown>>;
  const entries = fields.flatMap((field): [string, unknown][] => {
    const value =
      optionValues[optionOf(field).replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())];
    if (value === undefined || field.kind === 'json') return [];
    if (field.kind === 'boolean') return [[field.name, value === true || value === 'true']];
    if (field.kind === 'time')
      return [[field.name, timeFrom(`--${optionOf(field)}`, String(value), undefined, shell.nowMs())]];
    return [[field.name, value]];
  });
  return Object.fromEntries(entries);
}

const prefixes: Readonly<Record<string, string>> = {
  project: 'proj',
  avatar: 'avtr',
  evaluator: 'eval',
  webhook: 'whk',
  delivery: 'dlv',
  source: 'src',
  job: 'job',
  identity: 'wid',
};

const exampleOf = (parameter: string): string => {
  const prefix = prefixes[parameter.replace(/_id$/, '')];
  return prefix ? `${prefix}_01JZ4Y7Q8R5T2V9W3X6B0C1D4E` : '1';
};
