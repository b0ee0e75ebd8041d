import { CfnOutput } from 'aws-cdk-lib';
import { EndpointType, LambdaIntegration, RestApi } from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { Endpoint } from '../lib/endpoint.ts';

/** The REST API: stage `api` with `/v1` as its root resource, so that the base path is /api/v1 on AWS too. */
export class Api extends Construct {
  private readonly rest: RestApi;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.rest = new RestApi(this, 'Rest', {
      description: 'Platform API',
      deployOptions: { stageName: 'api' },
      endpointTypes: [EndpointType.REGIONAL],
      cloudWatchRole: false,
    });
    new CfnOutput(this, 'BaseUrl', { value: this.rest.urlForPath('/v1'), description: 'The base URL' });
  }

  /** Sends a path and method to a function. */
  route(endpoint: Endpoint, handler: IFunction): void {
    this.rest.root
      .resourceForPath(`/v1${endpoint.path}`)
      .addMethod(endpoint.method, new LambdaIntegration(handler, { proxy: true, allowTestInvoke: false }));
  }
}
