import { NestedStack } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Endpoint } from '../lib/http/endpoint.ts';
import type { Api } from './api.ts';
import type { StageConfig } from './config.ts';
import { EndpointFunction } from './endpoint-function.ts';
import { byName } from './live-alias.ts';
import { addOtherMethods } from './other-methods.ts';
import { hasOuterPaths } from './placement.ts';
import { addRoute } from './route.ts';
import { allow } from './service-function.ts';
import type { StageTables } from './tables.ts';

type Props = {
  api: Api;
  endpoints: readonly Endpoint[];
  folderOf: (endpoint: Endpoint) => string;
  tables: StageTables;
  logGroup: LogGroup;
  config: StageConfig;
};

/**
 * The functions of the endpoints of one resource, such as `projects`, and their methods in the API. The stack is nested, because
 * a stack has at most 500 resources ("Understand CloudFormation quotas", CloudFormation User Guide) and an endpoint needs
 * five. One role lets the gateway call the functions, instead of a permission for each.
 */
export class FamilyStack extends NestedStack {
  readonly aliases: readonly Alias[];

  constructor(scope: Construct, id: string, { api, endpoints, folderOf, ...props }: Props) {
    super(scope, id, { description: `Functions of the endpoints of ${id}` });
    const functions = endpoints.map((endpoint) => {
      const folder = folderOf(endpoint);
      const { ownUrl } = api;
      return { endpoint, ...new EndpointFunction(this, endpoint.id, { endpoint, folder, ownUrl, ...props }) };
    });
    this.aliases = functions.map(({ live }) => live);
    const gateway = new Role(this, 'Gateway', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      description: `Lets the gateway call the functions of ${id}`,
      inlinePolicies: {
        call: allow(
          ['lambda:InvokeFunction'],
          this.aliases.map(({ functionArn }) => functionArn),
        ),
      },
    });
    const credentialsRole = byName(gateway);
    const resourceAt = (path: string) => api.resourceAt(path, hasOuterPaths(id) ? undefined : this);
    for (const { endpoint, live } of functions) {
      const resource = resourceAt(endpoint.path);
      addRoute(this, { endpoint, resource, functionArn: live.functionArn, credentialsRole });
    }
    addOtherMethods(this, endpoints, resourceAt);
  }
}

/** The endpoints by their first part: `projects` has `projects.get`. */
export const familiesOf = (endpoints: readonly Endpoint[]): Map<string, Endpoint[]> =>
  Map.groupBy(endpoints, ({ id }) => id.split('.')[0] ?? id);
