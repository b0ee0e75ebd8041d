/** Takes the place of @aws-sdk/client-kms's KMSClient.js in the bundles of functions. */

import { AwsJson1_1Protocol } from '@aws-sdk/core/protocols';
import { Client, functionClient } from 'function-client';
import { errorTypeRegistries } from './schemas/schemas_0';

export { Client as __Client };

export const KMSClient = functionClient({
  serviceId: 'KMS',
  firstDelayMs: 50,
  protocol: AwsJson1_1Protocol,
  protocolSettings: {
    defaultNamespace: 'com.amazonaws.kms',
    errorTypeRegistries,
    version: '2014-11-01',
    serviceTarget: 'TrentService',
  },
});
