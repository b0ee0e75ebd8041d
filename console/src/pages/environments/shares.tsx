/** Who gets what, as a bar. */

import type { Deployment } from '../../../../clients/typescript/src/index.ts';
import { DeploymentLink, labelOf } from '../../shared/deployment-name.tsx';
import { percentText, type Shares } from './texts.ts';

type Props = {
  project: string;
  shares: Shares;
  current: Deployment;
  /** The candidate of the rollout; undefined if none runs. */
  candidate: Deployment | undefined;
};

export function SharesBar({ project, shares, current, candidate }: Props) {
  const sides = [
    { name: 'current', deployment: current, share: shares.current },
    ...(candidate ? [{ name: 'candidate', deployment: candidate, share: shares.candidate }] : []),
  ];
  const label = sides
    .map(({ name, deployment, share }) => `${percentText(share)} ${name}: ${labelOf(deployment)}`)
    .join(', ');
  return (
    <figure class="shares">
      <svg role="img" aria-label={`Who gets what: ${label}`}>
        <rect class="current" width={`${shares.current}%`} height="100%" />
        <rect class="candidate" x={`${shares.current}%`} width={`${shares.candidate}%`} height="100%" />
      </svg>
      <figcaption>
        <ul class="plain">
          {sides.map(({ name, deployment, share }) => (
            <li key={name}>
              <span class={`key ${name}`} aria-hidden="true" /> <strong>{percentText(share)}</strong> {name}:{' '}
              <DeploymentLink project={project} deployment={deployment} />
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  );
}
