/** The erasure of all conversations of a user: a job, whose id is in the address. */

import { useState } from 'preact/hooks';
import { useAction } from '../../request/use-action.ts';
import { platform } from '../../session/session.ts';
import { Confirm, Field } from '../../shared/dialog.tsx';
import { JobPanel, useJob } from '../../shared/job-progress.tsx';
import { Name } from '../../shared/text.tsx';

/** @returns the phrase to type: the id of the user, if a keyboard has its characters */
export const phraseFor = (user: string): string => (/^[\x21-\x7e]{1,40}$/.test(user) ? user : 'erase');

type Props = {
  project: string;
  user: string | undefined;
  onClose: () => void;
  onStart: (jobId: string) => void;
};

export function EraseUser({ project, user, onClose, onStart }: Props) {
  const [externalUserId, setUser] = useState(user ?? '');
  const erase = useAction((input: { externalUserId: string }, options) =>
    platform().projects(project).conversations.erase(input, options),
  );
  const finish = (job: { id: string } | undefined) => {
    if (!job) return;
    onClose();
    onStart(job.id);
  };
  return (
    <Confirm
      title="Erase a user"
      action="Erase forever"
      phrase={externalUserId === '' ? undefined : phraseFor(externalUserId)}
      phraseHint={
        phraseFor(externalUserId) === externalUserId
          ? 'The id of the user.'
          : 'This word stands for the id of the user, which is hard to type.'
      }
      isPending={erase.isPending}
      error={erase.error}
      onConfirm={async () => finish(await erase.run({ externalUserId }))}
      onRepeat={async () => finish(await erase.repeat())}
      onClose={onClose}
    >
      <p>
        All conversations of{' '}
        <strong>
          <Name value={externalUserId} none="this user" />
        </strong>{' '}
        in this project are erased, with their messages, their search index and their exports.{' '}
        <strong>Nobody can bring them back.</strong>
      </p>
      <Field label="User (your id)" hint="Exactly as your runtime sends it, as externalUserId.">
        {(id) => (
          <input
            id={id}
            required
            maxLength={255}
            autocomplete="off"
            value={externalUserId}
            onInput={(event) => setUser(event.currentTarget.value)}
          />
        )}
      </Field>
    </Confirm>
  );
}

type ProgressProps = {
  project: string;
  jobId: string | undefined;
  /** It is called when the conversations are gone. */
  onEnd: () => void;
};

export function ErasureProgress({ project, jobId, onEnd }: ProgressProps) {
  const followed = useJob(project, jobId, onEnd);
  const { job } = followed;
  if (!jobId) return null;
  const result = job?.status === 'succeeded' && job.result && 'erased' in job.result ? job.result : undefined;
  return (
    <JobPanel
      project={project}
      followed={followed}
      title="Erasure of a user"
      label="Erasure"
      parameter="erasure"
      verb="Erasing"
      noun="conversations"
      work="erasure"
    >
      {result && (
        <p role="status">
          {result.erased.toLocaleString('en')}{' '}
          {result.erased === 1 ? 'conversation was' : 'conversations were'} erased. Their data is no longer
          stored.
        </p>
      )}
    </JobPanel>
  );
}
