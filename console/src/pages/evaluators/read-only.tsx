/** An evaluator as text, for somebody who may not change it. */

import type { Evaluator } from '../../../../clients/typescript/src/index.ts';
import { Values } from '../../shared/values.tsx';
import { avatarName, useAvatars } from '../conversations/names.tsx';
import { draftOf } from './draft.ts';
import { FixedFields } from './form.tsx';

export function ReadOnlyEvaluator({ project, evaluator }: { project: string; evaluator: Evaluator }) {
  useAvatars(project);
  const draft = draftOf(evaluator);
  const { avatarId, deploymentId, channel, tag } = draft;
  const scope = [
    ['Only of the avatar', avatarName(avatarId) ?? avatarId],
    ['Only of the deployment', deploymentId],
    ['Only of the channel', channel],
    ['Only with the tag', tag],
  ] as const;
  return (
    <>
      <FixedFields evaluator={evaluator} />
      <Values
        values={[
          ['Description', draft.description],
          ...(evaluator.rule ? [['Rule (JSON)', draft.rule] as const] : []),
          ...(evaluator.model
            ? ([
                ['Model', draft.modelId],
                ['Question', draft.prompt],
                ['Temperature', draft.temperature],
              ] as const)
            : []),
          ...scope.filter(([, text]) => text !== ''),
        ]}
      />
    </>
  );
}
