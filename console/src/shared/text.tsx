/** Texts and values that callers have stored. The page shows them as text, whatever they contain. */

import { type ComponentChildren, Fragment } from 'preact';
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

type Span = { start: number; end: number };

/**
 * A text in which matches are marked.
 *
 * @param spans the matches in order, in UTF-16 code units
 */
export function Marked({ text, spans }: { text: string; spans: readonly Span[] }) {
  const nodes: ComponentChildren[] = [];
  let from = 0;
  for (const { start, end } of spans) {
    if (start < from) continue;
    nodes.push(text.slice(from, start), <mark key={start}>{text.slice(start, end)}</mark>);
    from = end;
  }
  return (
    <span class="foreign" dir="auto">
      {nodes}
      {text.slice(from)}
    </span>
  );
}

/**
 * The values of a form that cannot be saved, as text.
 *
 * @param values the texts, by the labels of the form; an empty text is shown as `none`
 */
export const Values = ({ values }: { values: readonly (readonly [label: string, text: string])[] }) => (
  <dl class="values">
    {values.map(([label, text]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{text === '' ? <span class="quiet">none</span> : <LongText value={text} />}</dd>
      </div>
    ))}
  </dl>
);
