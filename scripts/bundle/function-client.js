/**
 * The clients of KMS and SQS in the bundles of functions. They take the places of the SDK's own ones: function-kms.js and
 * function-sqs.js. The client of DynamoDB, which nearly every request needs, is in dynamodb/. A function knows its region, endpoint and credentials from its environment (lib/runtime/function-client.ts),
 * so these clients search for nothing: no profile files, no endpoint rules, no endpoint discovery, no refresh of credentials.
 * They correct no clock either: Lambda's is right. test/scripts/function-sdk.test.ts compares them with the SDK's own clients,
 * request by request.
 */

import { AwsJson1_0Protocol } from '@aws-sdk/core/protocols';
import { Sha256 } from '@smithy/core/checksum';
import { Client, NoOpLogger } from '@smithy/core/client';
import { getContentLengthPlugin, parseUrl } from '@smithy/core/protocols';
import { getRetryPlugin, StandardRetryStrategy } from '@smithy/core/retry';
import { getSchemaSerdePlugin } from '@smithy/core/schema';
import { calculateBodyLength, fromBase64, fromUtf8, toBase64, toUtf8 } from '@smithy/core/serde';
import { NodeHttpHandler, streamCollector } from '@smithy/node-http-handler';
import { SignatureV4 } from '@smithy/signature-v4';

export { Client };

const maxAttempts = 3;

/** What the SDK's defaults are, where nothing in the environment changes them. */
const settings = (
  { endpoint, region, requestHandler },
  { serviceId, protocol = AwsJson1_0Protocol, protocolSettings },
  retryStrategy,
) => ({
  base64Decoder: fromBase64,
  base64Encoder: toBase64,
  bodyLengthChecker: calculateBodyLength,
  disableHostPrefix: true,
  endpoint: async () => parseUrl(endpoint),
  logger: new NoOpLogger(),
  maxAttempts: async () => maxAttempts,
  // SQS's commands would check the MD5 of what they sent. TLS does that.
  md5: false,
  protocol,
  protocolSettings,
  region: async () => region,
  requestHandler: NodeHttpHandler.create(requestHandler),
  retryStrategy: async () => retryStrategy,
  serviceId,
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

/**
 * @param service its `serviceId`, `protocol` and `protocolSettings` as in the SDK, and the delay before a first retry, in milliseconds
 * @returns the class of its client
 */
export const functionClient = (service) =>
  class extends Client {
    constructor(config) {
      // One for all requests, because they share its quota of retries.
      super(
        settings(
          config,
          service,
          new StandardRetryStrategy({ maxAttempts, baseDelay: service.firstDelayMs }),
        ),
      );
      const { credentials, region } = config;
      const signer = new SignatureV4({
        credentials,
        region,
        service: service.serviceId.toLowerCase(),
        sha256: Sha256,
      });
      this.middlewareStack.use(getSchemaSerdePlugin(this.config));
      this.middlewareStack.use(getRetryPlugin(this.config));
      this.middlewareStack.use(getContentLengthPlugin(this.config));
      // Each attempt is signed: the time is part of a signature.
      this.middlewareStack.addRelativeTo(signed(signer), {
        relation: 'after',
        toMiddleware: 'retryMiddleware',
      });
    }
  };
