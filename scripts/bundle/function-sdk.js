/**
 * Takes the place of @aws-sdk/client-dynamodb's DynamoDBClient in the bundles of functions. A function knows its region,
 * endpoint and credentials from its environment (lib/runtime/function-client.ts), so this client searches for nothing: no
 * profile files, no endpoint rules, no endpoint discovery, no refresh of credentials. It corrects no clock either: Lambda's
 * is right. test/scripts/function-sdk.test.ts compares it with the SDK's own client, request by request.
 */

import { AwsJson1_0Protocol } from '@aws-sdk/core/protocols';
import { DynamoDBJsonCodec2 } from '@aws-sdk/dynamodb-codec';
import { Sha256 } from '@smithy/core/checksum';
import { Client, NoOpLogger } from '@smithy/core/client';
import { getContentLengthPlugin, parseUrl } from '@smithy/core/protocols';
import { getRetryPlugin, StandardRetryStrategy } from '@smithy/core/retry';
import { getSchemaSerdePlugin } from '@smithy/core/schema';
import { calculateBodyLength, fromBase64, fromUtf8, toBase64, toUtf8 } from '@smithy/core/serde';
import { NodeHttpHandler, streamCollector } from '@smithy/node-http-handler';
import { SignatureV4 } from '@smithy/signature-v4';
import { errorTypeRegistries } from './schemas/schemas_0';

export { Client as __Client };

const maxAttempts = 3;

/** What the SDK's defaults are, where nothing in the environment changes them. */
const settings = ({ endpoint, region, requestHandler }, retryStrategy) => ({
  base64Decoder: fromBase64,
  base64Encoder: toBase64,
  bodyLengthChecker: calculateBodyLength,
  disableHostPrefix: true,
  endpoint: async () => parseUrl(endpoint),
  logger: new NoOpLogger(),
  maxAttempts: async () => maxAttempts,
  protocol: AwsJson1_0Protocol,
  protocolSettings: {
    defaultNamespace: 'com.amazonaws.dynamodb',
    errorTypeRegistries,
    version: '2012-08-10',
    serviceTarget: 'DynamoDB_20120810',
    jsonCodec: new DynamoDBJsonCodec2(),
  },
  region: async () => region,
  requestHandler: NodeHttpHandler.create(requestHandler),
  retryStrategy: async () => retryStrategy,
  serviceId: 'DynamoDB',
  streamCollector,
  utf8Decoder: fromUtf8,
  utf8Encoder: toUtf8,
});

const signed = (signer) => (next) => async (args) => {
  const { headers, hostname, port } = args.request;
  headers.host = port ? `${hostname}:${port}` : hostname;
  headers['user-agent'] = 'platform-api';
  return next({ ...args, request: await signer.sign(args.request) });
};

export class DynamoDBClient extends Client {
  constructor(config) {
    // One for all requests, because they share its quota of retries. A first retry comes after up to 25 ms, as in the SDK.
    super(settings(config, new StandardRetryStrategy({ maxAttempts, baseDelay: 25 })));
    const { credentials, region } = config;
    const signer = new SignatureV4({ credentials, region, service: 'dynamodb', sha256: Sha256 });
    this.middlewareStack.use(getSchemaSerdePlugin(this.config));
    this.middlewareStack.use(getRetryPlugin(this.config));
    this.middlewareStack.use(getContentLengthPlugin(this.config));
    // Each attempt is signed: the time is part of a signature.
    this.middlewareStack.addRelativeTo(signed(signer), {
      relation: 'after',
      toMiddleware: 'retryMiddleware',
    });
  }
}
