/** An environment: what it serves, whether it is pinned, and what a user can do. As a card, and on its own page. */

import { useState } from 'preact/hooks';
import { mayChange } from '../../session/session.ts';
import { Badge } from '../../shared/basics.tsx';
import { Credential } from '../../shared/credential.tsx';
import { DeploymentLink, environmentHref } from '../../shared/deployment-name.tsx';
import { LongText } from '../../shared/text.tsx';
import { Time } from '../../shared/time.tsx';
import { DeleteEnvironment } from './delete-environment.tsx';
import { Promote } from './promote.tsx';
import { RollBack } from './roll-back.tsx';
import type { ServedEnvironment } from './served-environments.ts';

type Props = { project: string; entry: ServedEnvironment; onChanged: () => void };

export function EnvironmentCard(props: Props) {
  const { name, pinned } = props.entry.environment;
  return (
    <section class="card environment">
      <h2>
        <a href={environmentHref(props.project, name)}>{name}</a>{' '}
        {pinned && <Badge value="pinned" tone="busy" />}
      </h2>
      <Served {...props} />
    </section>
  );
}

/** @param onDeleted is called in place of `onChanged` when the environment is deleted */
export function Served({ project, entry, onChanged, onDeleted }: Props & { onDeleted?: () => void }) {
  const [dialog, setDialog] = useState<'rollback' | 'pin' | 'delete' | undefined>(undefined);
  const { environment, deployment } = entry;
  const { name, pinned, rollback, previous } = environment;
  const close = () => setDialog(undefined);
  const finish = () => {
    close();
    onChanged();
  };
  return (
    <>
      <p>
        {deployment ? (
          <>
            serves <DeploymentLink project={project} deployment={deployment} /> since{' '}
            <Time at={deployment.promotedAt} isExact />
          </>
        ) : (
          <span class="quiet">serves nothing yet: promote a deployment</span>
        )}
      </p>
      {rollback && (
        <div class="pin">
          Rolled back <Time at={rollback.at} /> by <Credential id={rollback.by} />
          {rollback.reason && (
            <blockquote>
              <LongText value={rollback.reason} />
            </blockquote>
          )}
          <p class="quiet">New deployments stay staged until one is promoted.</p>
        </div>
      )}
      {mayChange('deploy:write') && (
        <p class="row">
          {previous && (
            <button type="button" class="small danger" onClick={() => setDialog('rollback')}>
              Roll back …
            </button>
          )}
          {pinned && deployment && (
            <button type="button" class="small" onClick={() => setDialog('pin')}>
              End the pin …
            </button>
          )}
          <button type="button" class="small danger" onClick={() => setDialog('delete')}>
            Delete …
          </button>
        </p>
      )}
      {dialog === 'rollback' && (
        <RollBack project={project} environment={name} onClose={close} onDone={finish} />
      )}
      {dialog === 'delete' && (
        <DeleteEnvironment project={project} name={name} onClose={close} onDone={onDeleted ?? finish} />
      )}
      {dialog === 'pin' && deployment && (
        <Promote project={project} deployment={deployment} onClose={close} onDone={finish} />
      )}
    </>
  );
}
