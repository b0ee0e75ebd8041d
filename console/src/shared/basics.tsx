/** Small components that most pages use. */

import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

export function Head({ title, children }: { title: ComponentChildren; children?: ComponentChildren }) {
  return (
    <header class="head">
      <h1>{title}</h1>
      {children && <div class="row">{children}</div>}
    </header>
  );
}

/** Sets the title of the tab of the browser. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Platform console`;
  }, [title]);
}

const tones: Readonly<Record<string, string>> = {
  active: 'good',
  succeeded: 'good',
  indexed: 'good',
  delivered: 'good',
  healthy: 'good',
  ended: 'quiet',
  failed: 'bad',
  failing: 'bad',
  revoked: 'bad',
  expired: 'bad',
  denied: 'bad',
  disabled: 'bad',
  queued: 'busy',
  running: 'busy',
  pending: 'busy',
  indexing: 'busy',
  open: 'busy',
};

/** A state, as a word with a colour. */
export const Badge = ({ value, tone }: { value: string; tone?: 'good' | 'bad' | 'busy' | 'quiet' }) => (
  <span class={`badge ${tone ?? tones[value] ?? 'quiet'}`}>{value.replaceAll('_', ' ')}</span>
);

/** The text of a page without items: what to do first, and with which command. */
export function Empty({
  title,
  children,
  command,
}: {
  title: string;
  children?: ComponentChildren;
  command?: string;
}) {
  return (
    <div class="empty">
      <strong>{title}</strong>
      {children && <p>{children}</p>}
      {command && (
        <pre tabIndex={0}>
          <code>{command}</code>
        </pre>
      )}
    </div>
  );
}

export const Loading = ({ what = 'Loading' }: { what?: string }) => (
  <p class="loading" role="status">
    {what} …
  </p>
);

/** @param value the share that is done, from 0 to 1; undefined while the end is unknown */
export const Progress = ({ value, label }: { value: number | undefined; label: string }) => (
  <div class="progress">
    <span>{label}</span>
    {value === undefined ? (
      <progress aria-label={label} />
    ) : (
      <progress aria-label={label} value={value} max={1} />
    )}
  </div>
);

/** A list of names with their values. */
export const Facts = ({ facts }: { facts: readonly (readonly [string, ComponentChildren])[] }) => (
  <dl class="facts">
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

const message = signal('');

/** Lets screen readers say what has changed away from the focus. */
export const announce = (text: string): void => {
  message.value = text;
};

/** The live region of `announce`. */
export const Announcer = () => (
  <div class="sr-only" role="status">
    {message.value}
  </div>
);

type Props = { summary: ComponentChildren; children: () => ComponentChildren; isOpen?: boolean };

/** Details that are drawn when they are opened, so that a list with many of them stays quick. */
export function Expander({ summary, children, isOpen = false }: Props) {
  const [open, setOpen] = useState(isOpen);
  return (
    <details class="expander" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {open && <div class="expanded">{children()}</div>}
    </details>
  );
}
