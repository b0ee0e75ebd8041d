/** Buttons that copy an id or a text. */

import { useState } from 'preact/hooks';
import { announce } from './basics.tsx';

const feedbackMs = 1500;

function useCopy(text: string) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState('copied');
      announce(stateTexts.copied);
    } catch {
      setState('failed');
      announce(stateTexts.failed);
    }
    setTimeout(() => setState('idle'), feedbackMs);
  };
  return { state, copy };
}

const stateTexts = { idle: '', copied: 'Copied', failed: 'Select and copy it by hand: the browser refused' };

export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const { state, copy } = useCopy(text);
  return (
    <button type="button" class="small" onClick={copy}>
      {state === 'idle' ? label : stateTexts[state]}
    </button>
  );
}

/** @returns enough of an id to tell it from the other ids on the page */
export const shortId = (id: string): string =>
  id.length > 16 ? `${id.slice(0, id.indexOf('_') + 1)}…${id.slice(-6)}` : id;

/** An id. The page shows a short form, and a click copies the whole id. */
export function Id({ value }: { value: string | null | undefined }) {
  const { state, copy } = useCopy(value ?? '');
  if (!value) return <span class="quiet">—</span>;
  return (
    <button type="button" class="id" title={`Copy ${value}`} onClick={copy}>
      {state === 'idle' ? shortId(value) : stateTexts[state]}
    </button>
  );
}
