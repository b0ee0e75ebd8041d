/** Details that are drawn when they are opened, so that a list with many of them stays quick. */

import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

type Props = { summary: ComponentChildren; children: () => ComponentChildren; isOpen?: boolean };

export function Expander({ summary, children, isOpen = false }: Props) {
  const [open, setOpen] = useState(isOpen);
  return (
    <details class="expander" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {open && <div class="expanded">{children()}</div>}
    </details>
  );
}
