/** A new secret. The service shows it once, so the dialog asks before it closes, unless the secret was copied. */

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Dialog } from './dialog.tsx';

type Props = {
  title: string;
  secret: string;
  /** What the secret is for. */
  children?: ComponentChildren;
  onClose: () => void;
};

export function SecretDialog({ title, secret, children, onClose }: Props) {
  const [isAsking, setIsAsking] = useState(false);
  const [state, setState] = useState<'idle' | 'copied' | 'refused'>('idle');
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, []);
  const leave = useBackGuard(() => {
    if (state === 'copied') return true;
    setIsAsking(true);
    return false;
  }, onClose);
  const close = () => (state === 'copied' ? leave() : setIsAsking(true));
  const copy = () =>
    navigator.clipboard.writeText(secret).then(
      () => setState('copied'),
      () => setState('refused'),
    );

  if (isAsking)
    return (
      <Dialog key="asking" title="Close without copying the secret?" onClose={() => setIsAsking(false)}>
        <p>Nobody can show this secret again. If you did not store it, you have to rotate it.</p>
        <p class="row end">
          <button type="button" onClick={leave}>
            Close anyway
          </button>
          <button type="button" class="primary" onClick={() => setIsAsking(false)}>
            Back to the secret
          </button>
        </p>
      </Dialog>
    );
  return (
    <Dialog key="shown" title={title} onClose={close}>
      {children}
      <p class="notice">Store the secret now. It is shown only once.</p>
      <pre class="secret" tabIndex={0}>
        <code>{secret}</code>
      </pre>
      <p class="row">
        <button type="button" class="primary" onClick={copy}>
          Copy the secret
        </button>
        <span role="status">
          {state === 'copied' && 'Copied'}
          {state === 'refused' && 'The browser refused. Select the secret and copy it by hand.'}
        </span>
      </p>
      <p class="row end">
        <button type="button" onClick={close}>
          Close
        </button>
      </p>
    </Dialog>
  );
}

/**
 * The back button asks before it leaves something that cannot be shown again: an entry of the history is added, which the button
 * removes in place of the page.
 *
 * @param mayLeave says whether the page may be left, when the back button is pressed
 * @param onLeave is called after the entry is gone
 * @returns a function that leaves without asking
 */
function useBackGuard(mayLeave: () => boolean, onLeave: () => void): () => void {
  const callbacks = useRef({ mayLeave, onLeave });
  callbacks.current = { mayLeave, onLeave };
  const isLeaving = useRef(false);
  useEffect(() => {
    const guard = () => history.pushState(history.state, '', location.href);
    const onBack = () => {
      const wasLeaving = isLeaving.current;
      if (!wasLeaving && !callbacks.current.mayLeave()) return guard();
      window.removeEventListener('popstate', onBack);
      callbacks.current.onLeave();
      // The user wants the page before this one.
      if (!wasLeaving) history.back();
    };
    guard();
    window.addEventListener('popstate', onBack);
    return () => window.removeEventListener('popstate', onBack);
  }, []);
  return () => {
    isLeaving.current = true;
    history.back();
  };
}
