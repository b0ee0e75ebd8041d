/** The live region for changes away from the focus. Screen readers say its text. */

import { signal } from '@preact/signals';

const message = signal('');

export const announce = (text: string): void => {
  message.value = text;
};

export const Announcer = () => (
  <div class="sr-only" role="status">
    {message.value}
  </div>
);
