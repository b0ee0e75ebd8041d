/**
 * Takes the place of @aws-sdk/client-dynamodb's runtimeConfig in the bundles of functions: what the SDK has one for
 * browsers for, too. A function is told its region, credentials and endpoint (lib/runtime/function-client.ts), so what searches
 * for them stays out, and so do the rules for the endpoints of all regions: 27 KB, a tenth of the cold path.
 */

import { AwsSdkSigV4Signer } from '@aws-sdk/core/httpAuthSchemes';
import { AwsJson1_0Protocol } from '@aws-sdk/core/protocols';
import { DynamoDBJsonCodec2 } from '@aws-sdk/dynamodb-codec';
import { Sha256 } from '@smithy/core/checksum';
import { NoOpLogger } from '@smithy/core/client';
import { parseUrl } from '@smithy/core/protocols';
import { calculateBodyLength, fromBase64, fromUtf8, toBase64, toUtf8 } from '@smithy/core/serde';
import { NodeHttpHandler, streamCollector } from '@smithy/node-http-handler';
// Of the SDK's package: esbuild resolves imports from the file that this one replaces.
import packageInfo from '../package.json';
import { defaultDynamoDBHttpAuthSchemeProvider } from './auth/httpAuthSchemeProvider';
import { errorTypeRegistries } from './schemas/schemas_0';

const userAgent = [['aws-sdk-js', packageInfo.version], ['lang/js'], ['md/nodejs', process.versions.node]];

const endpointOf = ({ Endpoint }) => ({ url: new URL(Endpoint) });

export const getRuntimeConfig = (config) => ({
  accountIdEndpointMode: 'disabled',
  apiVersion: '2012-08-10',
  authSchemePreference: [],
  base64Decoder: fromBase64,
  base64Encoder: toBase64,
  bodyLengthChecker: calculateBodyLength,
  defaultUserAgentProvider: async () => userAgent,
  defaultsMode: async () => 'legacy',
  disableHostPrefix: false,
  endpointDiscoveryEnabledProvider: async () => false,
  endpointProvider: endpointOf,
  extensions: [],
  httpAuthSchemeProvider: defaultDynamoDBHttpAuthSchemeProvider,
  httpAuthSchemes: [
    {
      schemeId: 'aws.auth#sigv4',
      identityProvider: (identities) => identities.getIdentityProvider('aws.auth#sigv4'),
      signer: new AwsSdkSigV4Signer(),
    },
  ],
  logger: new NoOpLogger(),
  maxAttempts: 3,
  protocol: AwsJson1_0Protocol,
  protocolSettings: {
    defaultNamespace: 'com.amazonaws.dynamodb',
    errorTypeRegistries,
    version: '2012-08-10',
    serviceTarget: 'DynamoDB_20120810',
    jsonCodec: new DynamoDBJsonCodec2(),
  },
  retryMode: 'standard',
  runtime: 'node',
  serviceId: 'DynamoDB',
  sha256: Sha256,
  streamCollector,
  urlParser: parseUrl,
  useDualstackEndpoint: false,
  useFipsEndpoint: false,
  userAgentAppId: '',
  utf8Decoder: fromUtf8,
  utf8Encoder: toUtf8,
  ...config,
  requestHandler: NodeHttpHandler.create(config.requestHandler),
});
