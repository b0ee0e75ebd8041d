/** One DynamoDB Local for the whole run, and the character maps of PDFs. */

import type { TestProject } from 'vitest/node';
import { startDynamoDb } from '../../scripts/local/dynamodb.ts';
import { fetchPackage } from '../../scripts/shared/fetched-packages.ts';

declare module 'vitest' {
  interface ProvidedContext {
    dynamodbEndpoint: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await fetchPackage('pdfjs-dist');
  const { endpoint, stop } = await startDynamoDb({ sharedDb: false, isBusy: true });
  project.provide('dynamodbEndpoint', endpoint);
  return stop;
}
