/** Who did it, and what was done, as choices. */

import { filterValue, SelectFilter, TextFilter } from '../../parts/query-filters.tsx';
import { useLoad } from '../../request/use-load.ts';
import { can, platform, session } from '../../session/session.ts';

/** Keys by name. A link may name an actor that is none of them, such as a worker. */
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
  const isTwice = (name: string) => keys.filter((key) => key.name === name).length > 1;
  const labelOf = (id: string, name: string) =>
    `${name.slice(0, 80)}${isTwice(name) ? ` …${id.slice(-6)}` : ''}${id === me?.id ? ' (you)' : ''}`;
  const known = keys.map(({ id, name }) => [id, labelOf(id, name)] as const);
  const others = [filterValue('actor'), me?.id]
    .filter((id) => id !== undefined)
    .filter((id, at, all) => all.indexOf(id) === at && !keys.some((key) => key.id === id))
    .map((id) => [id, id === me?.id ? `${id} (you)` : id] as const);
  return <SelectFilter name="actor" label="Actor" anyLabel="Everybody" options={[...others, ...known]} />;
}

/** Every operation that changes something. The field takes workers and commands, too. */
export function ActionFilter() {
  const { data } = useLoad(async () => {
    const { operations } = await import('../../../../cli/src/derived/operation.ts');
    return operations.filter(({ method }) => method !== 'GET').map(({ id }) => id);
  }, []);
  return <TextFilter name="action" label="Action" placeholder="projects.update" suggestions={data ?? []} />;
}
