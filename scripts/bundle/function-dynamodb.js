/** Takes the place of @aws-sdk/client-dynamodb's DynamoDBClient.js in the bundles of functions. */

import { DynamoDBJsonCodec2 } from '@aws-sdk/dynamodb-codec';
import { Client, functionClient } from 'function-client';
import { errorTypeRegistries } from './schemas/schemas_0';

export { Client as __Client };

export const DynamoDBClient = functionClient({
  serviceId: 'DynamoDB',
  // The SDK has the same delay.
  firstDelayMs: 25,
  protocolSettings: {
    defaultNamespace: 'com.amazonaws.dynamodb',
    errorTypeRegistries,
    version: '2012-08-10',
    serviceTarget: 'DynamoDB_20120810',
    jsonCodec: new DynamoDBJsonCodec2(),
  },
});
