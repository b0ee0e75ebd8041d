/** Takes the place of @aws-sdk/client-sqs's SQSClient.js in the bundles of functions. */

import { Client, functionClient } from 'function-client';
import { errorTypeRegistries } from './schemas/schemas_0';

export { Client as __Client };

export const SQSClient = functionClient({
  serviceId: 'SQS',
  firstDelayMs: 50,
  protocolSettings: {
    defaultNamespace: 'com.amazonaws.sqs',
    errorTypeRegistries,
    version: '2012-11-05',
    serviceTarget: 'AmazonSQS',
    awsQueryCompatible: true,
  },
});
