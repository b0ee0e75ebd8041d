/** Texts that callers have stored. The page shows them as text, whatever they contain. */

import { Fragment } from 'preact';
import { useState } from 'preact/hooks';

const maxLength = 2000;

/** A long text is shown in part, until the user asks for the rest. `isolate` keeps bidi controls from changing what is beside it. */
export function LongText({ value }: { value: string }) {
  const [isWhole, setIsWhole] = useState(false);
  const isLong = value.length > maxLength;
  const visibleText = isLong && !isWhole ? `${value.slice(0, maxLength)}…` : value;
  return (
    <>
      <span class="foreign" dir="auto">
        {visibleText}
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
      {breakable(value.slice(0, 300))}
    </bdi>
  ) : (
    <span class="quiet">{none}</span>
  );

/** @returns the text of a name; a path or a URL may break after each segment, so that its words stay whole in a narrow column */
const breakable = (text: string) =>
  text.includes('/') && !text.includes(' ')
    ? text.match(/[^/.]+[/.]*|[/.]+/g)?.map((segment, at) => (
        <Fragment key={at}>
          {at > 0 && <wbr />}
          {segment}
        </Fragment>
      ))
    : text;

export const Json = ({ value }: { value: unknown }) => (
  <pre class="json" tabIndex={0}>
    <code>{JSON.stringify(value, null, 2)}</code>
  </pre>
);
