/** The versions of an avatar, their changes, the differences between any two, and the environments that serve them. */

import { useState } from 'preact/hooks';
import type { Avatar, AvatarVersion } from '../../../../clients/typescript/src/index.ts';
import { useLoad } from '../../request/use-load.ts';
import { usePages } from '../../request/use-pages.ts';
import { navigate, query, setQuery } from '../../router.ts';
import { can, mayChange, platform } from '../../session/session.ts';
import { Badge, Empty, Loading } from '../../shared/basics.tsx';
import { Credential } from '../../shared/credential.tsx';
import { Changes } from '../../shared/diff.tsx';
import { changesBetween } from '../../shared/difference.ts';
import { List } from '../../shared/list.tsx';
import { Problem } from '../../shared/problem.tsx';
import { Time } from '../../shared/time.tsx';
import { loadEnvironments } from '../deployments/served-environments.ts';
import { contentOf, labelOf, versionChanges } from './content.ts';
import { keepUnsaved } from './unsaved.ts';

type Props = { project: string; avatar: Avatar; serving: readonly Serving[] };

export function Versions({ project, avatar, serving }: Props) {
  const list = usePages<AvatarVersion>(
    'page',
    (signal) => platform().projects(project).avatars.versions.list(avatar.id, { limit: 50 }, { signal }),
    [avatar.id, avatar.version],
  );
  const versionsByNumber = new Map(list.pages.flat().map((version) => [version.version, version]));
  return (
    <>
      {avatar.version > 1 && <Compare project={project} avatar={avatar} />}
      <List
        label="Versions"
        list={list}
        keyOf={({ version }) => String(version)}
        row={(version) => (
          <VersionRow
            project={project}
            avatar={avatar}
            version={version}
            before={versionsByNumber.get(version.version - 1)}
            servedBy={serving.filter((one) => one.version === version.version)}
          />
        )}
        empty={<Empty title="There is no version" />}
      />
    </>
  );
}

type RowProps = {
  project: string;
  avatar: Avatar;
  version: AvatarVersion;
  /** The previous version; undefined if it is not loaded yet. */
  before: AvatarVersion | undefined;
  servedBy: readonly Serving[];
};

function VersionRow({ project, avatar, version, before, servedBy }: RowProps) {
  const [isOpen, setIsOpen] = useState(false);
  const changedFields = before && versionChanges(before, version).map(({ path }) => labelOf(path));
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        <strong>Version {version.version}</strong>{' '}
        {version.version === avatar.version && <Badge value="latest" />}
        {servedBy.map(({ environment }) => (
          <Badge key={environment} value={environment} tone="good" />
        ))}{' '}
        <span class="quiet">
          <Time at={version.createdAt} />
          {' by '}
          <Credential id={version.createdBy} isText />
          {version.version === 1 && ' · created'}
          {changedFields && (
            <>
              {' · '}
              <bdi>{changedFields.slice(0, 5).join(', ')}</bdi>
              {changedFields.length > 5 && ` and ${changedFields.length - 5} more`}
            </>
          )}
        </span>
      </summary>
      {isOpen && <VersionDetails project={project} avatar={avatar} version={version} before={before} />}
    </details>
  );
}

function VersionDetails({ project, avatar, version, before }: Omit<RowProps, 'servedBy'>) {
  const number = version.version;
  const { data, error, reload } = useLoad(
    async (signal) => {
      if (before || number === 1) return { before };
      const { versions } = platform().projects(project).avatars;
      return { before: await versions.get(avatar.id, number - 1, { signal }) };
    },
    [number],
  );
  if (!data) return error ? <Problem error={error} onRepeat={reload} /> : <Loading />;
  const changes = data.before ? versionChanges(data.before, version) : changesBetween({}, contentOf(version));
  const use = () => {
    keepUnsaved(avatar.id, {
      base: avatar,
      draft: { ...contentOf(version), externalId: avatar.externalId },
    });
    navigate(`/projects/${project}/avatars/${avatar.id}`);
  };
  return (
    <div class="version">
      <Changes changes={changes} nameOf={labelOf} />
      <p class="row quiet">
        By <Credential id={version.createdBy} />
        {number !== avatar.version && mayChange('avatars:write') && (
          <button type="button" class="small" onClick={use}>
            Put version {number} into the form
          </button>
        )}
      </p>
    </div>
  );
}

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

export type Serving = { environment: string; version: number };

const maxEnvironments = 20;

/** @returns the environments that serve an avatar, and which version each serves; none without the scope to read deployments */
export async function loadServing(project: string, avatar: string, signal: AbortSignal): Promise<Serving[]> {
  if (!can('deploy:read')) return [];
  const { items } = await loadEnvironments(project, maxEnvironments, signal);
  return items.flatMap(({ environment, deployment }) => {
    const entry = deployment?.avatars.find(({ avatarId }) => avatarId === avatar);
    return entry ? [{ environment: environment.name, version: entry.version }] : [];
  });
}
