/**
 * `npm run webhooks`: what an operator looks for among the webhooks of all organisations, with AWS credentials.
 *
 *   npm run webhooks -- --without-scopes     webhooks from before the scopes of their setters were stored: organisation and mode,
 *                                            id, creation, creator, event types, and the URL without its query
 *
 * The tables are those of the deployed stage (--stage NAME, dev when left out), or the ones that the functions' own
 * variables name (WEBHOOKS_TABLE, …).
 */

import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { loggedUrl } from '../lib/audit/logged-url.ts';
import { resourceAt } from '../lib/dynamodb/resources.ts';
import type { Item } from '../lib/dynamodb/write.ts';
import type { BaseRuntime } from '../lib/runtime/base-runtime.ts';
import { webhooks } from '../lib/webhooks/store/webhooks.ts';
import { explainMistake } from './aws/mistakes.ts';
import { explainMissingStage, openStage } from './organisations/stage.ts';
import { readCommand, UsageError } from './shared/options.ts';

const usage = 'Usage: npm run webhooks -- --without-scopes [--stage NAME]';

/** Prints each as soon as it is found. An organisation has 50 in each mode, so the whole table is read. */
async function listWithoutScopes({ client, tableNames }: BaseRuntime): Promise<void> {
  const command = new ScanCommand({
    TableName: tableNames.webhooks,
    ConsistentRead: true,
    FilterExpression: 'attribute_not_exists(#scopes)',
    ExpressionAttributeNames: { '#scopes': 'scopes' },
  });
  do {
    const { Items = [], LastEvaluatedKey } = await client.send(command);
    for (const item of Items as Item[]) {
      // Secrets, counts and tombstones are in other partitions.
      if (resourceAt('webhooks', item)?.place !== '') continue;
      const { tenant, id, createdAt, createdBy, eventTypes, url } = webhooks.read(item);
      console.log([tenant, id, createdAt, createdBy, eventTypes.join(','), loggedUrl(url)].join('  '));
    }
    command.input.ExclusiveStartKey = LastEvaluatedKey;
  } while (command.input.ExclusiveStartKey);
}

async function main(): Promise<void> {
  const { values, positionals } = readCommand(
    { 'without-scopes': { type: 'boolean' }, stage: { type: 'string' } },
    usage,
  );
  if (!values['without-scopes'] || positionals.length > 0) throw new UsageError(usage);
  const runtime = openStage(values.stage ?? 'dev');
  await listWithoutScopes(runtime).catch((error: unknown) => {
    throw explainMissingStage(error, runtime);
  });
}

main().catch(async (error: unknown) => {
  console.error(error instanceof UsageError ? error.message : ((await explainMistake(error)) ?? error));
  process.exit(1);
});
