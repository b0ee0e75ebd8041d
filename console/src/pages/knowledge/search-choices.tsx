/** The choices of a search: its index, and whether it finds by words only. */

import { useLoad } from '../../request/use-load.ts';
import { can, platform } from '../../session/session.ts';
import { filterChoice, SelectFilter } from '../../shared/query-filters.tsx';

type Props = {
  environments: readonly string[];
  /** An environment or a deployment; undefined for the published index. */
  environment: string | undefined;
};

// A name of an environment has no underscore.
const isDeployment = (index: string): boolean => index.startsWith('dep_');

/** @returns the parameters of a search in the index of an environment or a deployment */
export const placeOf = (index: string | undefined) =>
  index !== undefined && isDeployment(index) ? { deploymentId: index } : { environment: index };

/** An environment of a link stays a choice, although it is not in the list. So does a deployment. */
export const IndexOptions = ({ environments, environment }: Props) => (
  <>
    <option value="">Published index</option>
    {[...new Set([...environments, ...(environment ? [environment] : [])])].map((name) => (
      <option key={name} value={name}>
        {isDeployment(name) ? 'Deployment' : 'Environment'} {name}
      </option>
    ))}
  </>
);

/** @returns the mode in the address of the page; undefined for words and meaning */
export const modeInAddress = (): 'lexical' | undefined => filterChoice('mode', ['lexical']);

export const ModeFilter = () => (
  <SelectFilter
    name="mode"
    label="Search by"
    anyLabel="words and meaning"
    options={[['lexical', 'words only']]}
  />
);

/** @returns the environments whose index can be searched; no names if the credential may not see environments */
export function useEnvironments(project: string): readonly string[] {
  const { data } = useLoad(
    async (signal) =>
      can('deploy:read')
        ? (await platform().projects(project).environments.list({ limit: 100 }, { signal })).items
        : [],
    [project],
  );
  return (data ?? []).filter(({ current }) => current !== null).map(({ name }) => name);
}
