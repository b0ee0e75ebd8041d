/** The filters of the audit log by actor and by action. */

import { useLoad } from '../../request/use-load.ts';
import { can, platform, session } from '../../session/session.ts';
import { filterValue, SelectFilter, TextFilter } from '../../shared/query-filters.tsx';

/** A choice of keys by name. A link may name another actor, such as a worker. */
export function ActorFilter() {
  const me = session.value?.me;
  const mayList = can('api-keys:read');
  const { data: keys = [] } = useLoad(
    async (signal) => (mayList ? (await platform().apiKeys.list({ limit: 100 }, { signal })).items : []),
    [],
  );
  if (!mayList)
    return (
      <TextFilter name="actor" label="Actor" placeholder="key_… or sub:…" suggestions={me ? [me.id] : []} />
    );
  const isAmbiguous = (name: string) => keys.filter((key) => key.name === name).length > 1;
  const labelOf = (id: string, name: string) =>
    `${name.slice(0, 80)}${isAmbiguous(name) ? ` …${id.slice(-6)}` : ''}${id === me?.id ? ' (you)' : ''}`;
  const keyOptions = keys.map(({ id, name }) => [id, labelOf(id, name)] as const);
  const otherOptions = [filterValue('actor'), me?.id]
    .filter((id) => id !== undefined)
    .filter((id, at, ids) => ids.indexOf(id) === at && !keys.some((key) => key.id === id))
    .map((id) => [id, id === me?.id ? `${id} (you)` : id] as const);
  return (
    <SelectFilter
      name="actor"
      label="Actor"
      anyLabel="Everybody"
      options={[...otherOptions, ...keyOptions]}
    />
  );
}

/** A field that suggests every operation that changes something. It takes workers and commands, too. */
export function ActionFilter() {
  const { data } = useLoad(async () => {
    const { operations } = await import('../../../../cli/src/derived/operation.ts');
    return operations.filter(({ method }) => method !== 'GET').map(({ id }) => id);
  }, []);
  return <TextFilter name="action" label="Action" placeholder="projects.update" suggestions={data ?? []} />;
}
