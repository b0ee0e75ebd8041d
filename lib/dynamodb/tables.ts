/**
 * CDK deploys the tables, and development and tests create the same tables. All have the same keys: `tenant` (partition key) is
 * an organisation and a mode, plus the parent's id for children; `id` (sort key) is ULID-based for resources, so their
 * partitions are sorted by time.
 */

export const partitionKey = 'tenant';
export const sortKey = 'id';
export const ttlAttribute = 'ttl';

export type TableDefinition = {
  variable: string;
  /** The stream of a table is its change log. */
  stream: boolean;
  /** A table without backups cannot be restored. All other tables can, if the stage has backups. */
  backups?: false;
  /** The items that are resources. All others are helpers: contents, index entries, pointers, progress. */
  resources?: Resources;
  /** The helpers that requests change on their own. These changes are in the audit log, and cause no event. */
  traced?: Traced;
};

type Level = 'organisation' | 'tenant' | 'project';

type Resources = {
  /** The owner of their partition: the organisation in both modes, the tenant, or one project. */
  level: Level;
  /**
   * The partitions below that level, between which resources can move, by the prefix of their ids (`''` for any other id). `''`
   * is the partition of the level itself.
   */
  places: Readonly<Record<string, readonly string[]>>;
};

type Traced = {
  level: Level;
  prefix: string;
  /** The partitions below that level. */
  place: RegExp;
};

export const tables = {
  organisations: {
    variable: 'ORGANISATIONS_TABLE',
    stream: true,
    resources: { level: 'organisation', places: { org_: [''] } },
  },
  apiKeys: {
    variable: 'API_KEYS_TABLE',
    stream: true,
    resources: { level: 'tenant', places: { key_: [''], wid_: [''] } },
  },
  projects: {
    variable: 'PROJECTS_TABLE',
    stream: true,
    resources: { level: 'tenant', places: { proj_: ['', 'deleted'] } },
  },
  knowledge: {
    variable: 'KNOWLEDGE_TABLE',
    stream: true,
    resources: { level: 'project', places: { kdoc_: [''], src_: ['sources'] } },
  },
  jobs: {
    variable: 'JOBS_TABLE',
    stream: true,
    resources: { level: 'project', places: { job_: [''] } },
    traced: { level: 'project', prefix: 'upl_', place: /^uploads$/ },
  },
  avatars: {
    variable: 'AVATARS_TABLE',
    stream: true,
    resources: { level: 'project', places: { avtr_: [''] } },
  },
  deployments: {
    variable: 'DEPLOYMENTS_TABLE',
    stream: true,
    resources: { level: 'project', places: { dep_: [''], rol_: ['rollouts'], '': ['environments'] } },
  },
  knowledgeIndexes: { variable: 'KNOWLEDGE_INDEXES_TABLE', stream: false },
  conversations: {
    variable: 'CONVERSATIONS_TABLE',
    stream: true,
    resources: { level: 'project', places: { conv_: [''], eval_: ['evaluators'] } },
    traced: { level: 'project', prefix: 'conv_', place: /^scored$/ },
  },
  messages: { variable: 'MESSAGES_TABLE', stream: true },
  conversationStats: { variable: 'CONVERSATION_STATS_TABLE', stream: false },
  conversationSearch: { variable: 'CONVERSATION_SEARCH_TABLE', stream: false },
  webhooks: {
    variable: 'WEBHOOKS_TABLE',
    stream: true,
    resources: { level: 'tenant', places: { whk_: [''] } },
  },
  // Deliveries are derived from events, and a restore must not bring erased items back.
  deliveries: {
    variable: 'DELIVERIES_TABLE',
    stream: true,
    backups: false,
    traced: { level: 'tenant', prefix: 'dlv_', place: /^whk_\w+$/ },
  },
  schedule: { variable: 'SCHEDULE_TABLE', stream: false },
  idempotency: { variable: 'IDEMPOTENCY_TABLE', stream: false },
  audit: { variable: 'AUDIT_TABLE', stream: false },
  // Events are derived, and a restore must not bring erased items back.
  events: { variable: 'EVENTS_TABLE', stream: false, backups: false },
  limits: { variable: 'LIMITS_TABLE', stream: false, backups: false },
} as const satisfies Record<string, TableDefinition>;

/** @returns the output of the stack with the name of a table: `ProjectsTable` for `PROJECTS_TABLE` */
export const outputName = (variable: string): string =>
  variable.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

export type TableName = keyof typeof tables;
export const tableNames = Object.keys(tables) as TableName[];

/** @returns the output with the ARN of the stream of a table: `ProjectsStream` */
export const streamOutput = (table: TableName): string =>
  outputName(tables[table].variable).replace(/Table$/, 'Stream');

/**
 * @param prefix the name of the stack of the stage; another prefix on this machine
 * @returns the name of a table, such as `PlatformApi-dev-projects`
 */
export const tableNameIn = (prefix: string, table: TableName): string => `${prefix}-${table}`;

export const tableVariables = (prefix: string): Record<string, string> =>
  Object.fromEntries(tableNames.map((table) => [tables[table].variable, tableNameIn(prefix, table)]));

/** The DynamoDB actions that the code uses, with the names of IAM without `dynamodb:`. */
export type Action =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'ConditionCheckItem'
  | 'BatchWriteItem';

export type Access = { readonly [Table in TableName]?: readonly Action[] };

export function mergeAccess(...parts: readonly Access[]): Access {
  const merged: { [Table in TableName]?: Action[] } = {};
  for (const table of tableNames) {
    const actions = [...new Set(parts.flatMap((part) => part[table] ?? []))];
    if (actions.length > 0) merged[table] = actions.sort();
  }
  return merged;
}
