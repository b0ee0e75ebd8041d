/** Methods that the gateway itself refuses: 405 with `Allow`, for each method for which an endpoint has a hint. */

import { type IResource, Method, MockIntegration, PassthroughBehavior } from 'aws-cdk-lib/aws-apigateway';
import type { Construct } from 'constructs';
import type { Endpoint } from '../lib/http/endpoint.ts';
import { errors, otherMethod } from '../lib/http/errors.ts';
import { headersOf, template } from './gateway-responses.ts';

/**
 * Any other method of a path is 404, as for an unknown path.
 *
 * @param endpoints all endpoints of their paths
 * @param resourceAt finds a path in the API
 */
export function addOtherMethods(
  scope: Construct,
  endpoints: readonly Endpoint[],
  resourceAt: (path: string) => IResource,
): void {
  for (const [path, endpointsOfPath] of Map.groupBy(endpoints, ({ path }) => path)) {
    const methods = new Set(endpointsOfPath.flatMap(({ otherMethods }) => Object.keys(otherMethods)));
    for (const method of methods) {
      addRefusal(scope, resourceAt(path), { method, endpoints: endpointsOfPath });
    }
  }
}

type Refusal = { method: string; endpoints: readonly Endpoint[] };

function addRefusal(scope: Construct, resource: IResource, { method, endpoints }: Refusal): void {
  const [first] = endpoints;
  if (!first) return;
  const { allowed, message } = otherMethod(endpoints, method);
  const statusCode = String(errors.method_not_allowed.status);
  const headers = Object.entries({
    'Content-Type': "'application/json'",
    ...headersOf({ Allow: allowed }),
  }).map(([name, value]) => [`method.response.header.${name}`, value] as const);
  new Method(scope, `${first.id}${method}Method`, {
    httpMethod: method,
    resource,
    integration: new MockIntegration({
      // A body of another type gets 415. Otherwise no template would choose the status, and the gateway would answer 500.
      passthroughBehavior: PassthroughBehavior.NEVER,
      requestTemplates: { 'application/json': JSON.stringify({ statusCode: Number(statusCode) }) },
      integrationResponses: [
        {
          statusCode,
          responseParameters: Object.fromEntries(headers),
          responseTemplates: { 'application/json': template('method_not_allowed', message) },
        },
      ],
    }),
    options: {
      methodResponses: [
        { statusCode, responseParameters: Object.fromEntries(headers.map(([name]) => [name, true])) },
      ],
    },
  });
}
