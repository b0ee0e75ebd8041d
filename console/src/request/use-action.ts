/** A change that the user requests. A repeated attempt has the same Idempotency-Key, so it takes effect once. */

import { useRef, useState } from 'preact/hooks';
import { randomId } from '../../../clients/typescript/src/core/transport.ts';
import { forgetLists } from './use-pages.ts';

export type Action<Input, Result> = {
  /** Does nothing while an earlier attempt is under way. */
  run: (input: Input) => Promise<Result | undefined>;
  /** Repeats the last attempt. */
  repeat: () => Promise<Result | undefined>;
  isPending: boolean;
  error: unknown;
  result: Result | undefined;
  reset: () => void;
};

/** @param perform gets the options of the request, with the Idempotency-Key of this action */
export function useAction<Input, Result>(
  perform: (input: Input, options: { idempotencyKey: string }) => PromiseLike<Result>,
): Action<Input, Result> {
  type State = { isPending: boolean; error?: unknown; result?: Result };
  const [state, setState] = useState<State>({ isPending: false });
  const last = useRef<{ input: Input; idempotencyKey: string } | undefined>(undefined);
  const isPending = useRef(false);

  const attempt = async (): Promise<Result | undefined> => {
    if (isPending.current || !last.current) return undefined;
    const { input, idempotencyKey } = last.current;
    isPending.current = true;
    setState({ isPending: true });
    try {
      const result = await perform(input, { idempotencyKey });
      forgetLists();
      setState({ isPending: false, result });
      return result;
    } catch (error) {
      setState({ isPending: false, error });
      return undefined;
    } finally {
      isPending.current = false;
    }
  };
  return {
    run(input) {
      if (!isPending.current) last.current = { input, idempotencyKey: randomId() };
      return attempt();
    },
    repeat: attempt,
    isPending: state.isPending,
    error: state.error,
    result: state.result,
    reset: () => setState({ isPending: false }),
  };
}
