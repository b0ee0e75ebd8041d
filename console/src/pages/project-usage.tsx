/** What a project has used, by day, and what a conversation of it may cost. */

import { href } from '../router.ts';
import type { PageParams } from '../router-path.ts';
import { platform } from '../session/session.ts';
import { Head } from '../shared/basics.tsx';
import { ConversationCost } from './conversation-cost.tsx';
import { UsagePerDay } from './logs/usage-days.tsx';

export default function ProjectUsagePage({ params: { project = '' } }: { params: PageParams }) {
  return (
    <>
      <Head title="Usage" />
      <p class="quiet">
        What this project has used. Quotas and limits are those of the organisation:{' '}
        <a href={href('/usage')}>Usage and limits</a>.
      </p>
      <ConversationCost project={project} />
      <UsagePerDay
        keys={[project]}
        load={(from, signal) => platform().projects.usageDays(project, { from }, { signal })}
      />
    </>
  );
}
