/** One live region for what changes without the focus: screen readers say it. */

import { signal } from '@preact/signals';

const said = signal('');

export const announce = (text: string): void => {
  said.value = text;
};

export const Announcer = () => (
  <div class="sr-only" role="status">
    {said.value}
  </div>
);
