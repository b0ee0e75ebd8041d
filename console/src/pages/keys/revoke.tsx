/** The dialog that ends a credential, such as a key. It first says what else ends, which the service counts with `dryRun`. */

import { useState } from 'preact/hooks';
import { type ApiKey, LastKeyError, type RevokedApiKey } from '../../../../clients/typescript/src/index.ts';
import { useAction } from '../../request/use-action.ts';
import { useLoad } from '../../request/use-load.ts';
import { platform, session } from '../../session/session.ts';
import { countText } from '../../shared/amounts.ts';
import { Loading } from '../../shared/basics.tsx';
import { Confirm } from '../../shared/dialog.tsx';
import { Problem } from '../../shared/problem.tsx';
import { Name } from '../../shared/text.tsx';
import { Time } from '../../shared/time.tsx';

type Query = { children?: 'true' | 'false'; dryRun?: 'true' | 'false'; force?: 'true' | 'false' };

type EndCounts = Pick<RevokedApiKey, 'children' | 'webhooks' | 'sources' | 'evaluators' | 'rollouts'>;

type EndProps<Result extends EndCounts> = {
  /** The noun for the credential, and the verb for its end. */
  words: { noun: string; verb: string };
  value: Pick<ApiKey, 'id' | 'name' | 'lastUsedAt' | 'lastUsedFrom'>;
  end: (query: Query, options?: { signal: AbortSignal }) => PromiseLike<Result>;
  onEnded: (result: Result) => void;
  onClose: () => void;
};

/** Ends a credential for ever. */
export function EndCredential<Result extends EndCounts>(props: EndProps<Result>) {
  const { words, value, end, onEnded, onClose } = props;
  const { noun, verb } = words;
  const [withChildren, setWithChildren] = useState(false);
  const [isForced, setIsForced] = useState(false);
  const children = withChildren ? ('true' as const) : ('false' as const);
  const effects = useLoad(
    // The user decides about the force later, and it changes no effect.
    (signal) => end({ children: 'true', dryRun: 'true', force: 'true' }, { signal }),
    [value.id],
  );
  const ending = useAction((force: boolean) => end({ children, ...(force && { force: 'true' }) }));
  const finish = (result: Result | undefined) => result && onEnded(result);
  const isCallerKey = value.id === session.value?.me.id;
  const isLast = ending.error instanceof LastKeyError;
  return (
    <Confirm
      title={`${verb} this ${noun}?`}
      action={isLast ? `${verb} the last ${noun}` : verb}
      {...(isForced && { phrase: value.name })}
      isPending={ending.isPending}
      error={isLast ? undefined : ending.error}
      onConfirm={async () => finish(await ending.run(isForced))}
      onRepeat={async () => finish(await ending.repeat())}
      onClose={onClose}
    >
      <p>
        <Name value={value.name} /> stops working at once, and for ever. It was last used{' '}
        <Time at={value.lastUsedAt} />
        {value.lastUsedFrom && <> from {value.lastUsedFrom}</>}.
      </p>
      {isCallerKey && <p class="notice">You are signed in with this {noun}. You will be signed out.</p>}
      {effects.isLoading && <Loading what="Counting what this ends" />}
      <Problem error={effects.error} onRepeat={effects.reload} />
      {effects.data && (
        <Effects noun={noun} counts={effects.data} withChildren={withChildren} onChange={setWithChildren} />
      )}
      {isLast && (
        <label class="check notice">
          <input
            type="checkbox"
            checked={isForced}
            onChange={(event) => setIsForced(event.currentTarget.checked)}
          />
          No key would be left that can create keys. {verb} it all the same: only an operator can then make
          another one.
        </label>
      )}
    </Confirm>
  );
}

type Props = { value: ApiKey; onRevoked: (key: ApiKey) => void; onClose: () => void };

export const RevokeKey = ({ value, onRevoked, onClose }: Props) => (
  <EndCredential<RevokedApiKey>
    words={{ noun: 'key', verb: 'Revoke' }}
    value={value}
    end={(query, options) => platform().apiKeys.revoke(value.id, query, options)}
    onEnded={onRevoked}
    onClose={onClose}
  />
);

type EffectsProps = {
  noun: string;
  counts: EndCounts;
  withChildren: boolean;
  onChange: (withChildren: boolean) => void;
};

/** @returns `2 active keys, 1 enabled webhook and 1 rollout`; an empty text if nothing ends */
function effectsText({ children, webhooks, sources, evaluators, rollouts }: EndCounts): string {
  const counts = [
    [children, 'active key'],
    [webhooks, 'enabled webhook'],
    [sources, 'source'],
    [evaluators, 'evaluator'],
    [rollouts, 'rollout'],
  ] as const;
  const parts = counts.flatMap(([count, noun]) => (count ? [countText(count, noun)] : []));
  return [parts.slice(0, -1).join(', '), ...parts.slice(-1)].filter(Boolean).join(' and ');
}

function Effects({ noun, counts, withChildren, onChange }: EffectsProps) {
  const all = effectsText(counts);
  if (!all) return <p>Nothing else ends: no active key and no enabled webhook depends on it.</p>;
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          checked={withChildren}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
        <span>
          Also end everything that this {noun} and the keys below it have created or set:{' '}
          <strong>{all}</strong>. Do this if the {noun} has leaked.
        </span>
      </label>
      <p class="quiet" role="status">
        {withChildren
          ? `${all} end or pause with it, and so do its exports, refreshes and evaluation runs.`
          : `${all} stay on. Jobs that have started go on.`}
      </p>
    </>
  );
}
