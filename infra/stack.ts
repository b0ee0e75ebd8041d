import { Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { endpoints } from '../functions/index.ts';
import { Api } from './api.ts';
import { EndpointFunction } from './endpoint-function.ts';
import { Tables } from './tables.ts';

/** Everything that runs: one table a resource, one function an endpoint, one REST API in front. */
export class PlatformStack extends Stack {
  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    const tables = new Tables(this, 'Tables');
    const api = new Api(this, 'Api');
    for (const endpoint of endpoints) {
      const { handler } = new EndpointFunction(this, endpoint.id, { endpoint, tables });
      api.route(endpoint, handler);
    }
  }
}
