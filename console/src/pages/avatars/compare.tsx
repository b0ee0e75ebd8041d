/** The differences between two versions, whose numbers are in the address. */

import type { Avatar } from '../../../../clients/typescript/src/index.ts';
import { useLoad } from '../../request/use-load.ts';
import { query, setQuery } from '../../router.ts';
import { platform } from '../../session/session.ts';
import { Loading } from '../../shared/basics.tsx';
import { Changes } from '../../shared/diff.tsx';
import { Problem } from '../../shared/problem.tsx';
import { labelOf, versionChanges } from './content.ts';

/** @returns the number of a version in the address, or the fallback */
function numberFrom(name: string, latest: number, fallback: number): number {
  const value = Number(query.value.get(name) ?? fallback);
  return Number.isInteger(value) && value >= 1 && value <= latest ? value : fallback;
}

export function Compare({ project, avatar }: { project: string; avatar: Avatar }) {
  const from = numberFrom('from', avatar.version, avatar.version - 1);
  const to = numberFrom('to', avatar.version, avatar.version);
  const hasNumbers = query.value.has('from') || query.value.has('to');
  const control = (name: 'from' | 'to', label: string, value: number) => (
    <label>
      {label}
      <input
        type="number"
        min={1}
        max={avatar.version}
        value={value}
        onChange={(event) => setQuery({ [name]: event.currentTarget.value })}
      />
    </label>
  );
  return (
    <details class="card compare" open={hasNumbers}>
      <summary>Compare two versions</summary>
      <div class="filters">
        {control('from', 'From version', from)}
        {control('to', 'to version', to)}
      </div>
      <Difference project={project} avatar={avatar} from={from} to={to} />
    </details>
  );
}

type DifferenceProps = { project: string; avatar: Avatar; from: number; to: number };

function Difference({ project, avatar, from, to }: DifferenceProps) {
  const { data, error, isLoading, reload } = useLoad(
    (signal) => {
      const { versions } = platform().projects(project).avatars;
      const version = (number: number) => versions.get(avatar.id, number, { signal });
      return Promise.all([version(from), version(to)]);
    },
    [avatar.id, from, to],
  );
  if (!data) return error ? <Problem error={error} onRepeat={reload} /> : <Loading />;
  const [before, after] = data;
  return (
    <div aria-live="polite" aria-busy={isLoading}>
      <Problem error={error} onRepeat={reload} />
      <Changes
        changes={versionChanges(before, after)}
        nameOf={labelOf}
        none={`Version ${from} and version ${to} are the same.`}
      />
    </div>
  );
}
