/** The values of a form that cannot be saved, as text. */

import { LongText } from './text.tsx';

/** @param values the texts, by the labels of the form; an empty text is shown as `none` */
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
