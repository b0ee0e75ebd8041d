/**
 * The tables, described once: CDK deploys these, development and tests make the same ones.
 * All share one shape. `tenant` (partition) holds organisation and mode, and for items that belong to
 * another, that one's id behind it; `id` (sort) is ULID-based, so a partition lists by time.
 */

export const partitionKey = 'tenant';
export const sortKey = 'id';
export const ttlAttribute = 'ttl';

type TableDefinition = {
  /** The environment variable through which a function learns the table's name. */
  variable: string;
  /** Whether the table's stream is a change log that others read. */
  stream: boolean;
};

export const tables = {
  organisations: { variable: 'ORGANISATIONS_TABLE', stream: true },
  apiKeys: { variable: 'API_KEYS_TABLE', stream: true },
  projects: { variable: 'PROJECTS_TABLE', stream: true },
  knowledge: { variable: 'KNOWLEDGE_TABLE', stream: true },
  jobs: { variable: 'JOBS_TABLE', stream: true },
  avatars: { variable: 'AVATARS_TABLE', stream: true },
  deployments: { variable: 'DEPLOYMENTS_TABLE', stream: true },
  knowledgeIndexes: { variable: 'KNOWLEDGE_INDEXES_TABLE', stream: false },
  conversations: { variable: 'CONVERSATIONS_TABLE', stream: true },
  messages: { variable: 'MESSAGES_TABLE', stream: true },
  conversationStats: { variable: 'CONVERSATION_STATS_TABLE', stream: false },
  conversationSearch: { variable: 'CONVERSATION_SEARCH_TABLE', stream: false },
  idempotency: { variable: 'IDEMPOTENCY_TABLE', stream: false },
} as const satisfies Record<string, TableDefinition>;

/** The stack's output that tells a table's name: `PROJECTS_TABLE` as `ProjectsTable`. */
export const outputName = (variable: string): string =>
  variable.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());

export type TableName = keyof typeof tables;
export const tableNames = Object.keys(tables) as TableName[];

/** The DynamoDB actions that code here can ask for; IAM's names without `dynamodb:`. */
export type Action =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'ConditionCheckItem'
  | 'BatchWriteItem';

/** What a function may do, table by table. */
export type Access = { readonly [Table in TableName]?: readonly Action[] };

/** @returns the union of several accesses */
export function mergeAccess(...parts: readonly Access[]): Access {
  const merged: { [Table in TableName]?: Action[] } = {};
  for (const table of tableNames) {
    const actions = [...new Set(parts.flatMap((part) => part[table] ?? []))];
    if (actions.length > 0) merged[table] = actions.sort();
  }
  return merged;
}
