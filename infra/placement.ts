/**
 * What a deployed stage has in its stack itself. Path parts, and the names of queues and functions, are unique, and CloudFormation creates
 * the resources of a new place before it removes those of the old place. So these cannot move. What comes later is in
 * nested stacks, because a stack has at most 500 resources: do not add to these lists.
 */

const families = new Set([
  ...['api-keys', 'audit-events', 'avatars', 'console', 'conversations', 'deployments', 'docs', 'downloads'],
  ...['environments', 'evaluation-runs', 'evaluators', 'events', 'exports', 'health', 'jobs', 'knowledge'],
  ...['llms', 'mcp', 'me', 'openapi', 'projects', 'uploads', 'usage', 'webhooks', 'workload-identities'],
]);

const workers = new Set([
  ...['audit-writer', 'conversation-counter', 'conversation-eraser', 'conversation-evaluator'],
  ...[
    'conversation-reindexer',
    'conversation-sweeper',
    'evaluation-runner',
    'event-writer',
    'export-remover',
  ],
  ...['exporter', 'importer', 'key-limiter', 'key-revoker', 'knowledge-extractor', 'knowledge-indexer'],
  ...['message-indexer', 'organisation-resumer', 'project-purger', 'retention-rewriter', 'source-refresher'],
  ...['usage-counter', 'user-eraser', 'webhook-keeper', 'webhook-sender'],
]);

/** Whether the path parts of a family of endpoints are in the stack itself, and not in the family's nested stack. */
export const hasOuterPaths = (family: string): boolean => families.has(family);

/** Whether a worker is in the stack itself, and not in the nested stack of later workers. */
export const isOuterWorker = ({ id }: { id: string }): boolean => workers.has(id);
