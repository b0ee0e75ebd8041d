/** The environments whose index can be searched. */

import { useLoad } from '../../request/use-load.ts';
import { can, platform } from '../../session/session.ts';

/** @returns the names of the environments that serve something; no names if the credential may not see environments */
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
