import { Stack, type StackProps, Tags } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { endpoints } from '../functions/index.ts';
import { schedulerId } from '../lib/schedule/scheduler.ts';
import { dispatcherId } from '../lib/workers/dispatcher.ts';
import { workers } from '../workers/index.ts';
import { acknowledgeFindings } from './acknowledgements.ts';
import { Api } from './api.ts';
import type { StageConfig } from './config.ts';
import { Dispatcher } from './dispatcher.ts';
import { EndpointFunction } from './endpoint-function.ts';
import { Monitoring } from './monitoring.ts';
import { Scheduler } from './scheduler.ts';
import { Tables } from './tables.ts';
import { WorkerFunction } from './worker-function.ts';

type Props = StackProps & {
  config: StageConfig;
  /** The prefix of the endpoints' paths: `/v1`, below the stage `api`. */
  rootPath?: string;
};

/** Everything that runs: the tables, one function per endpoint or worker, the dispatcher, the scheduler, and one REST API. */
export class PlatformStack extends Stack {
  constructor(scope: Construct, id: string, { config, rootPath = '/v1', ...props }: Props) {
    super(scope, id, { terminationProtection: config.terminationProtection, ...props });
    const tags = { service: 'platform-api', stage: config.stage, ...config.tags };
    for (const [name, value] of Object.entries(tags)) Tags.of(this).add(name, value);
    const tables = new Tables(this, 'Tables', config.tables);
    const api = new Api(this, 'Api', config, rootPath);
    for (const endpoint of endpoints) {
      const { handler } = new EndpointFunction(this, endpoint.id, { endpoint, tables, config });
      api.route(endpoint, handler);
    }
    const behind = workers.map((worker) => new WorkerFunction(this, worker.id, { worker, tables, config }));
    const dispatcher = new Dispatcher(this, dispatcherId, { tables, workers: behind, config });
    const scheduler = new Scheduler(this, schedulerId, { tables, workers: behind, dispatcher, config });
    if (config.monitoring) {
      new Monitoring(this, 'Monitoring', { config, api: api.rest, workers: behind, dispatcher, scheduler });
    }
    acknowledgeFindings(this, config);
  }
}
