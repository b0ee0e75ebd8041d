import { NestedStack, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { endpoints } from '../functions/index.ts';
import type { Endpoint } from '../lib/http/endpoint.ts';
import { dispatcherId } from '../lib/workers/dispatcher.ts';
import { schedulerId } from '../lib/workers/schedule/scheduler.ts';
import type { Worker } from '../lib/workers/worker.ts';
import { functionFolder } from '../scripts/bundle/bundle.ts';
import { workers } from '../workers/index.ts';
import { acknowledgeFindings } from './acknowledgements.ts';
import { Api } from './api.ts';
import { Canary } from './canary.ts';
import type { StageConfig } from './config.ts';
import { Dispatcher } from './dispatcher.ts';
import { FamilyStack, familiesOf } from './family-stack.ts';
import { newLogGroup } from './log-group.ts';
import { Monitoring } from './monitoring.ts';
import { isOuterWorker } from './placement.ts';
import { SavedQueries } from './saved-queries.ts';
import { Scheduler } from './scheduler.ts';
import { StageTables } from './tables.ts';
import { WorkerFunction } from './worker-function.ts';

export type Release = {
  endpoints: readonly Endpoint[];
  workers: readonly Worker[];
  /** The folder of a bundle, if it is not that of its id. */
  folderOf?: (declared: Endpoint | Worker) => string;
};

const currentRelease: Release = { endpoints, workers };

type Props = StackProps & { config: StageConfig; release?: Release };

/**
 * Everything that runs: one function per endpoint and worker, the dispatcher, the scheduler, and one REST API. It holds no data
 * except the notices in the workers' queues.
 */
export class PlatformStack extends Stack {
  constructor(scope: Construct, id: string, { config, release, ...props }: Props) {
    super(scope, id, props);
    const { endpoints, workers, folderOf = functionFolder }: Release = release ?? currentRelease;
    const tables = new StageTables(this, config);
    // The log groups are not in the nested stacks, so that logs of a function that a release removes stay readable.
    const logs = {
      endpoints: newLogGroup(this, 'EndpointLog', config),
      workers: newLogGroup(this, 'WorkerLog', config),
      access: newLogGroup(this, 'AccessLog', config),
    };
    const api = new Api(this, 'Api', { config, rootPath: '/v1', accessLog: logs.access });
    const families = [...familiesOf(endpoints)].map(
      ([family, endpointsOfFamily]) =>
        new FamilyStack(this, family, {
          api,
          endpoints: endpointsOfFamily,
          folderOf,
          tables,
          logGroup: logs.endpoints,
          config,
        }),
    );
    const shared = { tables, logGroup: logs.workers, config };
    let laterWorkers: NestedStack | undefined;
    const placeOf = (worker: Worker): Construct => {
      if (isOuterWorker(worker)) return this;
      laterWorkers ??= new NestedStack(this, 'Workers', { description: 'Workers, with their queues' });
      return laterWorkers;
    };
    const functions = workers.map(
      (worker) =>
        new WorkerFunction(placeOf(worker), worker.id, { worker, folder: folderOf(worker), ...shared }),
    );
    const dispatcher = new Dispatcher(this, dispatcherId, { workers: functions, ...shared });
    const scheduler = new Scheduler(this, schedulerId, { workers: functions, dispatcher, ...shared });
    if (config.savedQueries) new SavedQueries(this, 'SavedQueries', config, logs);
    if (config.monitoring) {
      const { requestAlarms } = new Monitoring(this, 'Monitoring', {
        config,
        apiName: api.rest.restApiName,
        workers: functions,
        dispatcher,
        scheduler,
      });
      if (config.deployment === 'canary') {
        new Canary(this, 'Canary', {
          aliases: families.flatMap((family) => family.aliases),
          background: [...functions, dispatcher, scheduler],
          alarms: requestAlarms,
        });
      }
    }
    acknowledgeFindings(this, config, [logs.endpoints, logs.workers]);
  }
}
