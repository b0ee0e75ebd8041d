/** The views of an avatar. */

import { href } from '../../router.ts';
import { can } from '../../session/session.ts';

type Props = { project: string; avatar: string; current: 'content' | 'versions' | 'try' };

export function AvatarTabs({ project, avatar, current }: Props) {
  const base = `/projects/${project}/avatars/${avatar}`;
  const tab = (title: string, target: string, isCurrent: boolean) => (
    <a href={target} aria-current={isCurrent ? 'page' : undefined}>
      {title}
    </a>
  );
  return (
    <nav class="tabs" aria-label="Views">
      {tab('Content', href(base), current === 'content')}
      {tab('Versions', href(base, { view: 'versions' }), current === 'versions')}
      {can('conversations:write') && tab('Try it', href(`${base}/try`), current === 'try')}
    </nav>
  );
}
