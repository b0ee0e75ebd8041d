import { Aws, CfnOutput, RemovalPolicy, Size } from 'aws-cdk-lib';
import {
  AccessLogFormat,
  type CfnRestApi,
  DomainName,
  EndpointType,
  type IResource,
  LogGroupLogDestination,
  Resource,
  RestApi,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { endpoints } from '../functions/index.ts';
import { minimumCompressionBytes } from '../lib/http/raw-documents.ts';
import type { StageConfig } from './config.ts';
import { Firewall } from './firewall.ts';
import { addGatewayResponses } from './gateway-responses.ts';

const stageName = 'api';

type Props = {
  config: StageConfig;
  /** The prefix of the endpoints' paths, below the stage. */
  rootPath: string;
  accessLog: LogGroup;
};

/**
 * The REST API: stage `api` with the root resource `/v1`, so that the base path on AWS is /api/v1 too. Its methods are
 * added by `addRoute`.
 *
 * It is not made from an OpenAPI document, because an import resets gateway responses that are resources (aws-cdk#28652).
 * MiniStack does not read gateway responses in a document, and changes the address with each change of the document.
 */
export class Api extends Construct {
  readonly rest: RestApi;
  /** The base URL for the API's own functions. The URL of the stage would make a cycle: the stage depends on all methods. */
  readonly ownUrl: string;

  private readonly rootPath: string;

  constructor(scope: Construct, id: string, { config, rootPath, accessLog }: Props) {
    super(scope, id);
    this.rootPath = rootPath;
    this.rest = new RestApi(this, 'Rest', {
      restApiName: `platform-api-${config.stage}`,
      description: `Platform API, ${config.stage}`,
      endpointTypes: [EndpointType.REGIONAL],
      // The size applies to responses. Compressed requests are always decompressed ("Payload compression for REST APIs").
      minCompressionSize: Size.bytes(minimumCompressionBytes),
      disableExecuteApiEndpoint: config.customDomain?.closeExecuteApi ?? false,
      cloudWatchRole: true,
      cloudWatchRoleRemovalPolicy: RemovalPolicy.RETAIN,
      deployOptions: {
        stageName,
        // API Gateway applies the limits to each method separately ("Throttle requests to your REST APIs", Developer Guide).
        throttlingRateLimit: config.throttle.rate,
        throttlingBurstLimit: config.throttle.burst,
        metricsEnabled: config.monitoring,
        methodOptions: methodThrottles(config, rootPath),
        tracingEnabled: config.tracing,
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat: AccessLogFormat.custom(accessLogLine),
      },
    });
    requireTls12(this.rest);
    addGatewayResponses(this.rest);
    if (config.waf)
      new Firewall(this, 'Firewall', { ...config.waf, config, stage: this.rest.deploymentStage });
    const { customDomain } = config;
    if (customDomain) this.addDomain(customDomain);
    const ownDomain = customDomain && `https://${customDomain.domainName}/${customDomain.basePath}/v1`;
    this.ownUrl =
      ownDomain ??
      `https://${this.rest.restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}/${stageName}/v1`;
    this.output('BaseUrl', ownDomain ?? this.rest.urlForPath('/v1'), 'The base URL');
    this.output('RestApiId', this.rest.restApiId, 'The id of the REST API');
  }

  private output(name: string, value: string, description: string): void {
    new CfnOutput(this, name, { value, description }).overrideLogicalId(name);
  }

  /**
   * @param path the path of an endpoint
   * @param owner gets the path parts that do not exist. Default: the API itself
   */
  resourceAt(path: string, owner?: Construct): IResource {
    const full = `${this.rootPath}${path}`;
    if (!owner) return this.rest.root.resourceForPath(full);
    let resource: IResource = this.rest.root;
    for (const pathPart of full.split('/').filter(Boolean)) {
      const parent = resource;
      resource =
        parent.getResource(pathPart) ??
        new Resource(owner, `${parent.path}/${pathPart}`, { parent, pathPart });
    }
    return resource;
  }

  private addDomain({
    domainName,
    certificateArn,
    basePath,
  }: NonNullable<StageConfig['customDomain']>): void {
    const domain = new DomainName(this, 'Domain', {
      domainName,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
    });
    domain.addBasePathMapping(this.rest, { basePath, stage: this.rest.deploymentStage });
    this.output(
      'DomainTarget',
      domain.domainNameAliasDomainName,
      `The target of the DNS record of ${domainName}`,
    );
    this.output(
      'DomainZone',
      domain.domainNameAliasHostedZoneId,
      "The target's hosted zone, for an alias record of Route 53",
    );
  }
}

/**
 * @returns limits by path and method, in API Gateway's notation. A method with its own settings ignores the settings of the stage
 */
function methodThrottles({ throttle, monitoring }: StageConfig, rootPath: string) {
  const limitsByMethod = endpoints.flatMap(({ id, method, path }) => {
    const limits = throttle.methods[id];
    return limits ? [[`${rootPath}${path}/${method}`, limits] as const] : [];
  });
  return Object.fromEntries(
    limitsByMethod.map(([name, { rate, burst }]) => [
      name,
      { throttlingRateLimit: rate, throttlingBurstLimit: burst, metricsEnabled: monitoring },
    ]),
  );
}

/** One line of JSON per request. `$context.path` has no query. Headers are not logged. */
const accessLogLine = JSON.stringify({
  requestId: '$context.requestId',
  // The id of the request in AWS WAF's log.
  extendedRequestId: '$context.extendedRequestId',
  time: '$context.requestTime',
  method: '$context.httpMethod',
  path: '$context.path',
  status: '$context.status',
  responseType: '$context.error.responseType',
  responseBytes: '$context.responseLength',
  latencyMs: '$context.responseLatency',
  // The status of the function is `-` if the gateway did not call it.
  integrationStatus: '$context.integration.status',
  integrationLatencyMs: '$context.integration.latency',
  integrationError: '$context.integration.error',
  sourceIp: '$context.identity.sourceIp',
  userAgent: '$context.identity.userAgent',
  tlsVersion: '$context.tlsVersion',
  wafResponse: '$context.wafResponseCode',
  wafError: '$context.waf.error',
});

/** The default address of API Gateway accepts TLS 1.0 unless configured ("Security policies for REST APIs"). */
function requireTls12(rest: RestApi): void {
  const resource = rest.node.defaultChild as CfnRestApi;
  resource.securityPolicy = 'SecurityPolicy_TLS13_1_2_2021_06';
  resource.endpointAccessMode = 'STRICT';
}
