/** The dialog that promotes a deployment. It first says what changes, and whether a pin ends. */

import type { Deployment } from '../../../../clients/typescript/src/index.ts';
import { useAction } from '../../request/use-action.ts';
import { useLoad } from '../../request/use-load.ts';
import { platform } from '../../session/session.ts';
import { announce, Loading } from '../../shared/basics.tsx';
import { DeploymentName } from '../../shared/deployment-name.tsx';
import { Dialog } from '../../shared/dialog.tsx';
import { Problem } from '../../shared/problem.tsx';
import { LongText } from '../../shared/text.tsx';
import { noContents } from './avatar-changes.ts';
import { DeploymentChanges } from './changes.tsx';

type Props = {
  project: string;
  deployment: Deployment;
  onClose: () => void;
  onDone: (deployment: Deployment) => void;
};

export function Promote({ project, deployment, onClose, onDone }: Props) {
  const name = deployment.environment;
  const { data, error, isLoading, reload } = useLoad(
    async (signal) => {
      const { environments, deployments } = platform().projects(project);
      const environment = await environments.get(name, { signal });
      const isOther = environment.current && environment.current !== deployment.id;
      const current = isOther ? await deployments.get(environment.current ?? '', { signal }) : undefined;
      return { environment, current };
    },
    [project, deployment.id],
  );
  const promote = useAction((_: undefined, options) =>
    platform().projects(project).deployments.promote(deployment.id, options),
  );
  const finish = (result: Deployment | undefined) => {
    if (!result) return;
    announce(`${name} serves the deployment.`);
    onDone(result);
  };
  const isCurrent = data?.environment.current === deployment.id;
  const rollback = data?.environment.rollback;
  return (
    <Dialog title={isCurrent ? `End the pin of ${name}` : `Promote to ${name}`} onClose={onClose} isWide>
      <Problem error={error} onRepeat={reload} />
      {isLoading && <Loading />}
      {data && (
        <form
          onSubmit={async (event) => {
            event.preventDefault();
            finish(await promote.run(undefined));
          }}
        >
          <p>
            {isCurrent ? (
              <>{name} continues to serve this deployment.</>
            ) : (
              <>
                {name} serves <DeploymentName deployment={deployment} /> at once.
              </>
            )}
          </p>
          {rollback && (
            <p class="notice">
              A rollback has pinned {name}
              {rollback.reason ? (
                <>
                  : “<LongText value={rollback.reason} />”
                </>
              ) : (
                ', without a reason'
              )}
              . The pin ends: new deployments are promoted again. Make sure that the reason is gone.
            </p>
          )}
          {data.current && deployment.createdAt < data.current.createdAt && (
            <p class="notice">
              It is older than what {name} serves, and the next deployment replaces it. To stay on it, roll
              back instead: a rollback pins the environment.
            </p>
          )}
          {!isCurrent && (
            <>
              <h3>What changes</h3>
              <DeploymentChanges project={project} from={data.current ?? noContents} to={deployment} />
            </>
          )}
          <Problem error={promote.error} onRepeat={async () => finish(await promote.repeat())} />
          <p class="row end">
            <button type="button" onClick={onClose}>
              Cancel
            </button>
            <button type="submit" class="primary" disabled={promote.isPending}>
              {promote.isPending ? 'Promoting …' : isCurrent ? 'End the pin' : `Promote to ${name}`}
            </button>
          </p>
        </form>
      )}
    </Dialog>
  );
}
