/** What a click copies: ids, code, secrets. */

import { useState } from 'preact/hooks';
import { announce } from './announce.tsx';

const shownMs = 1500;

function useCopy(text: string) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setState('copied');
      announce(said.copied);
    } catch {
      setState('failed');
      announce(said.failed);
    }
    setTimeout(() => setState('idle'), shownMs);
  };
  return { state, copy };
}

const said = { idle: '', copied: 'Copied', failed: 'Select and copy it by hand: the browser refused' };

export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const { state, copy } = useCopy(text);
  return (
    <button type="button" class="small" onClick={copy}>
      {state === 'idle' ? label : said[state]}
    </button>
  );
}

/** Enough of an id to tell it from others on the page. */
export const shortId = (id: string): string =>
  id.length > 16 ? `${id.slice(0, id.indexOf('_') + 1)}…${id.slice(-6)}` : id;

/** An id. It is short on the page; the whole id is copied. */
export function Id({ value }: { value: string | null | undefined }) {
  const { state, copy } = useCopy(value ?? '');
  if (!value) return <span class="quiet">—</span>;
  return (
    <button type="button" class="id" title={`Copy ${value}`} onClick={copy}>
      {state === 'idle' ? shortId(value) : said[state]}
    </button>
  );
}
