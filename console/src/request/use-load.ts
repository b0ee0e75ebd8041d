/** Loads the data of a page. */

import { useEffect, useRef, useState } from 'preact/hooks';

export type Loaded<Data> = {
  /** The last loaded data; it stays while newer data is loaded. */
  data: Data | undefined;
  error: unknown;
  isLoading: boolean;
  reload: () => void;
  /** Replaces the data, such as with the response of a change. */
  set: (data: Data) => void;
};

/**
 * @param load gets a signal that is aborted when its result is no longer needed
 * @param keys the data is loaded again when one of them changes
 */
export function useLoad<Data>(
  load: (signal: AbortSignal) => PromiseLike<Data>,
  keys: readonly unknown[],
): Loaded<Data> {
  const [state, setState] = useState<{ data?: Data; error?: unknown; isLoading: boolean }>({
    isLoading: true,
  });
  const [round, setRound] = useState(0);
  const loadRef = useRef(load);
  loadRef.current = load;
  const isFirst = useRef(true);
  // The caller decides which keys the data depends on.
  useEffect(() => {
    const controller = new AbortController();
    setState((before) => (isFirst.current ? { isLoading: true } : { ...before, isLoading: true }));
    isFirst.current = false;
    const { signal } = controller;
    Promise.resolve(loadRef.current(signal)).then(
      (data) => !signal.aborted && setState({ data, isLoading: false }),
      (error: unknown) => !signal.aborted && setState((before) => ({ ...before, error, isLoading: false })),
    );
    return () => controller.abort();
  }, [...keys, round]);
  return {
    data: state.data,
    error: state.error,
    isLoading: state.isLoading,
    reload: () => setRound((number) => number + 1),
    set: (data) => setState({ data, isLoading: false }),
  };
}
