/** Texts that callers have stored. They are shown as text, whatever they contain. */

import { useState } from 'preact/hooks';

const maxShown = 2000;

/** A long text is shown in part, until the user asks for the rest. `isolate` keeps bidi controls from changing what is beside it. */
export function LongText({ value }: { value: string }) {
  const [isWhole, setIsWhole] = useState(false);
  const isLong = value.length > maxShown;
  const shown = isLong && !isWhole ? `${value.slice(0, maxShown)}…` : value;
  return (
    <>
      <span class="foreign" dir="auto">
        {shown}
      </span>
      {isLong && (
        <button type="button" class="link" onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? 'Show less' : `Show all ${value.length.toLocaleString('en')} characters`}
        </button>
      )}
    </>
  );
}

/** A text on one line, such as a name. */
export const Name = ({ value, none = '—' }: { value: string | null | undefined; none?: string }) =>
  value ? (
    <bdi class="name" title={value.slice(0, 500)}>
      {value.slice(0, 300)}
    </bdi>
  ) : (
    <span class="quiet">{none}</span>
  );

/** JSON, as it was sent. */
export const Json = ({ value }: { value: unknown }) => (
  <pre class="json" tabIndex={0}>
    <code>{JSON.stringify(value, null, 2)}</code>
  </pre>
);
