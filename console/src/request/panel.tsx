/** The requests of the page, as code that a user can copy. */

import { useEffect, useState } from 'preact/hooks';
import { CopyButton } from '../shared/copy.tsx';
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
  const [selectedId, setSelectedId] = useState<number | undefined>(undefined);
  useEffect(() => {
    import('./samples.ts').then(setSamples, () => {});
  }, []);
  const entries = requests.value;
  const request = entries.find(({ id }) => id === selectedId) ?? entries[0];
  if (!samples || !request) return null;
  const code = samples.sampleOf(request, language);
  return (
    <>
      <div class="row">
        <label>
          Request{' '}
          <select value={request.id} onChange={(event) => setSelectedId(Number(event.currentTarget.value))}>
            {entries.map(({ id, method, path, status }) => (
              <option key={id} value={id}>
                {method} {path} {status ? `(${status})` : ''}
              </option>
            ))}
          </select>
        </label>
        {samples.languages.map((name) => (
          <button
            key={name}
            type="button"
            class="small"
            aria-pressed={name === language}
            onClick={() => setLanguage(name)}
          >
            {name}
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
