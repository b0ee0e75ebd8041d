/** One DynamoDB Local for the whole run, with the tables in it. */

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { TestProject } from 'vitest/node';
import { createTables, localCredentials, startDynamoDb } from '../../scripts/local/dynamodb.ts';

declare module 'vitest' {
  interface ProvidedContext {
    dynamodbEndpoint: string;
  }
}

export const tablePrefix = 'test';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { endpoint, stop } = await startDynamoDb();
  Object.assign(process.env, localCredentials);
  await createTables(new DynamoDBClient({ endpoint }), tablePrefix);
  project.provide('dynamodbEndpoint', endpoint);
  return stop;
}
