import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { createBaseRuntime } from '../../../lib/runtime/base-runtime.ts';

test('a DynamoDB call has three attempts, also in code that is not bundled', async () => {
  const { config } = createBaseRuntime({}).client as DynamoDBDocumentClient;
  expect(await config.maxAttempts()).toBe(3);
});
