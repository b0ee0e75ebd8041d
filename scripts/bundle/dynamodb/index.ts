/**
 * The DynamoDB client in the bundles of functions. It takes the place of both @aws-sdk/client-dynamodb and
 * @aws-sdk/lib-dynamodb, and exports what our code imports from them. A build that imports another name fails.
 *
 * The SDK's client is made for all operations, protocols and sources of settings. A function sends eight operations to
 * one endpoint, and knows its region and credentials. The tests in test/scripts/bundle/dynamodb/ compare both clients,
 * request by request and error by error.
 */

export { DynamoDBClient, DynamoDBDocumentClient } from './client.ts';
export {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from './commands.ts';
export { ConditionalCheckFailedException, TransactionCanceledException } from './errors.ts';
