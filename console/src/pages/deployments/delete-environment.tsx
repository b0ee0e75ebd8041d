/** The dialog that deletes an environment. */

import type { Environment } from '../../../../clients/typescript/src/index.ts';
import { useAction } from '../../request/use-action.ts';
import { platform } from '../../session/session.ts';
import { announce } from '../../shared/basics.tsx';
import { Confirm } from '../../shared/dialog.tsx';

type Props = { project: string; name: string; onClose: () => void; onDone: () => void };

export function DeleteEnvironment({ project, name, onClose, onDone }: Props) {
  const remove = useAction(() => platform().projects(project).environments.delete(name));
  const finish = (result: Environment | undefined) => {
    if (!result) return;
    announce(`${name} is deleted.`);
    onDone();
  };
  return (
    <Confirm
      title={`Delete the environment ${name}`}
      action="Delete permanently"
      phrase={name}
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={async () => finish(await remove.run(undefined))}
      onRepeat={async () => finish(await remove.repeat())}
      onClose={onClose}
    >
      <p>
        {name} serves nothing afterwards. Its deployments stay readable, and can be promoted to another
        environment while their index is kept: as long as another environment has it, too. Calls that began
        before can search it for 7 more days.
      </p>
    </Confirm>
  );
}
