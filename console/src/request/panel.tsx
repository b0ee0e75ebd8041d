/** The requests of the page as code, to copy. */

import { useEffect, useState } from 'preact/hooks';
import { CopyButton } from '../parts/copy.tsx';
import { requests } from './record.ts';
import type { Language } from './samples.ts';

export function RequestPanel() {
  const [isOpen, setIsOpen] = useState(false);
  if (requests.value.length === 0) return null;
  return (
    <details class="request" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>This page as code</summary>
      {isOpen && <Code />}
    </details>
  );
}

/** The code that writes samples is loaded when the panel is opened. */
function Code() {
  const [samples, setSamples] = useState<typeof import('./samples.ts') | undefined>(undefined);
  const [language, setLanguage] = useState<Language>('curl');
  const [chosen, setChosen] = useState<number | undefined>(undefined);
  useEffect(() => {
    import('./samples.ts').then(setSamples, () => {});
  }, []);
  const all = requests.value;
  const shown = all.find(({ id }) => id === chosen) ?? all[0];
  if (!samples || !shown) return null;
  const code = samples.sampleOf(shown, language);
  return (
    <>
      <div class="row">
        <label>
          Request{' '}
          <select value={shown.id} onChange={(event) => setChosen(Number(event.currentTarget.value))}>
            {all.map(({ id, method, path, status }) => (
              <option key={id} value={id}>
                {method} {path} {status ? `(${status})` : ''}
              </option>
            ))}
          </select>
        </label>
        {samples.languages.map((one) => (
          <button
            key={one}
            type="button"
            class="small"
            aria-pressed={one === language}
            onClick={() => setLanguage(one)}
          >
            {one}
          </button>
        ))}
        <CopyButton text={code} />
      </div>
      <pre tabIndex={0}>
        <code>{code}</code>
      </pre>
    </>
  );
}
