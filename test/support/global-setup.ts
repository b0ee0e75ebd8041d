/** One DynamoDB Local for the whole run. */

import type { TestProject } from 'vitest/node';
import { startDynamoDb } from '../../scripts/local/dynamodb.ts';

declare module 'vitest' {
  interface ProvidedContext {
    dynamodbEndpoint: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { endpoint, stop } = await startDynamoDb({ sharedDb: false, isBusy: true });
  project.provide('dynamodbEndpoint', endpoint);
  return stop;
}
