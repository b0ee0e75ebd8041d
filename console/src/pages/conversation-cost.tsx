/** The most that the models of one conversation may cost: a setting of the project. */

import { useState } from 'preact/hooks';
import type { Project } from '../../../clients/typescript/src/index.ts';
import { useAction } from '../request/use-action.ts';
import { useLoad } from '../request/use-load.ts';
import { mayChange, platform } from '../session/session.ts';
import { Dialog } from '../shared/dialog.tsx';
import { detailsOf, FormEnd, FormField, messagesAt } from '../shared/form.tsx';
import { Problem } from '../shared/problem.tsx';
import { usd } from '../shared/score.tsx';

export function ConversationCost({ project }: { project: string }) {
  const loaded = useLoad((signal) => platform().projects.get(project, { signal }), [project]);
  const [isOpen, setIsOpen] = useState(false);
  const { data, error, reload, set } = loaded;
  const limit = data?.settings.maxConversationCostUsd ?? null;
  return (
    <>
      <Problem error={error} onRepeat={reload} />
      {data && (
        <p class="row">
          Replies of one conversation may cost: {limit === null ? 'no limit besides the quota' : usd(limit)}
          {data.status === 'active' && mayChange('projects:write') && (
            <button type="button" onClick={() => setIsOpen(true)}>
              Change the limit
            </button>
          )}
        </p>
      )}
      {data && isOpen && (
        <Change
          project={project}
          limit={limit}
          onClose={(saved) => {
            setIsOpen(false);
            if (saved) set(saved);
          }}
        />
      )}
    </>
  );
}

type Props = { project: string; limit: number | null; onClose: (saved?: Project) => void };

function Change({ project, limit, onClose }: Props) {
  const [text, setText] = useState(limit === null ? '' : `${limit}`);
  const change = useAction((maxConversationCostUsd: number | null) =>
    platform().projects.update(project, { settings: { maxConversationCostUsd } }),
  );
  const finish = (saved: Project | undefined) => {
    if (saved) onClose(saved);
  };
  return (
    <Dialog title="Cost of a conversation" onClose={() => onClose()}>
      <form
        onSubmit={async (event) => {
          event.preventDefault();
          finish(await change.run(text.trim() === '' ? null : Number(text)));
        }}
      >
        <FormField
          label="US dollars"
          hint="A reply that could cost more than what is left is refused. If it is empty, only the quota of the organisation counts."
          messages={messagesAt(detailsOf(change.error), ['settings', 'maxConversationCostUsd'])}
        >
          {(control) => (
            <input
              {...control}
              type="number"
              step="any"
              min="0.000001"
              max="1000"
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          )}
        </FormField>
        <Problem error={change.error} onRepeat={async () => finish(await change.repeat())} />
        <FormEnd action="Save" isPending={change.isPending} onClose={() => onClose()} />
      </form>
    </Dialog>
  );
}
