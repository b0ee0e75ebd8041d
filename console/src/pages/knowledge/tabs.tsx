/** The pages of the knowledge. */

import { href, path } from '../../router.ts';

export function Tabs({ project }: { project: string }) {
  const base = `/projects/${project}/knowledge`;
  const tabs = [
    [base, 'Documents'],
    [`${base}/sources`, 'Sources'],
    [`${base}/search`, 'Search'],
    [`${base}/test`, 'Test'],
  ] as const;
  return (
    <nav class="tabs" aria-label="Knowledge">
      {tabs.map(([to, name]) => (
        <a key={to} href={href(to)} aria-current={path.value === to ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}
