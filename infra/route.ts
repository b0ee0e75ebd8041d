import { Aws, Duration } from 'aws-cdk-lib';
import {
  Integration,
  IntegrationType,
  type IResource,
  Method,
  ResponseTransferMode,
} from 'aws-cdk-lib/aws-apigateway';
import type { IRole } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Endpoint } from '../lib/http/endpoint.ts';
import { streamTimeoutSeconds } from '../lib/http/stream-times.ts';

type Route = {
  endpoint: Endpoint;
  /** The path in the API. */
  resource: IResource;
  /** The ARN of the function, or of its alias. */
  functionArn: string;
  /** The role with which the gateway calls the function. */
  credentialsRole?: IRole;
};

/**
 * Routes a path of the API and a method to a function.
 *
 * @param scope the stack of the function, which also gets the method
 */
export const addRoute = (scope: Construct, { endpoint, resource, functionArn, credentialsRole }: Route) =>
  new Method(scope, `${endpoint.id}Method`, {
    httpMethod: endpoint.method,
    resource,
    integration: new Integration({
      type: IntegrationType.AWS_PROXY,
      integrationHttpMethod: 'POST',
      uri: `arn:${Aws.PARTITION}:apigateway:${Aws.REGION}:lambda:path/${invocationOf(endpoint, functionArn)}`,
      options: {
        ...(credentialsRole && { credentialsRole }),
        ...(isStreamed(endpoint) && { responseTransferMode: ResponseTransferMode.STREAM }),
        // Without it, the gateway's limit is 29 seconds for a stream, too. It may be up to 15 minutes.
        ...(endpoint.raw === 'events' && { timeout: Duration.seconds(streamTimeoutSeconds + 1) }),
      },
    }),
  });

/** Bytes and events are streamed (lib/http/lambda/streamed.ts). */
const isStreamed = ({ raw }: Endpoint) => raw === 'bytes' || raw === 'events';

/** "Set up a Lambda proxy integration with payload response streaming", Amazon API Gateway Developer Guide. */
const invocationOf = (endpoint: Endpoint, functionArn: string): string =>
  isStreamed(endpoint)
    ? `2021-11-15/functions/${functionArn}/response-streaming-invocations`
    : `2015-03-31/functions/${functionArn}/invocations`;
