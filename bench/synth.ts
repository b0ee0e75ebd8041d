/** The resources and the sizes of the stacks, for the table in docs/capacity.md. */

import { endpoints } from '../functions/index.ts';
import { many } from './limits.ts';
import { stacksOf } from './stacks.ts';
import { table } from './statistics.ts';

/** Needs the functions' bundles. @returns the resources and the sizes of the stacks, by number of endpoints */
export function stackTable(): string {
  const sizes = [endpoints.length, many].map((count) => {
    const { templates } = stacksOf('prod', count);
    return new Map(
      [...templates].map(([name, template]) => [
        name,
        [Object.keys(template.Resources ?? {}).length, Math.ceil(JSON.stringify(template).length / 1000)],
      ]),
    );
  });
  const [now, grown] = sizes;
  const shown = (size: number[] | undefined) => (size ? `${size[0]}, ${size[1]} KB` : '');
  const others = [...(grown?.keys() ?? [])].filter((name) => !now?.has(name));
  const rows = [...(now ?? [])].map(([name, size]) => [`\`${name}\``, shown(size), shown(grown?.get(name))]);
  const largest = others
    .map((name) => grown?.get(name))
    .sort((a = [], b = []) => (b[0] ?? 0) - (a[0] ?? 0))[0];
  return table(
    ['stack', `${endpoints.length} endpoints`, `${many} endpoints`],
    [...rows, [`${others.length} others, the largest`, '', shown(largest)]],
  );
}
