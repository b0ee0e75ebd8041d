/** Jumps to a message of a long conversation by its number. */

import { setQuery } from '../../router.ts';

/** A shorter conversation needs no jump. */
const leastCount = 30;

export function GoTo({ count }: { count: number }) {
  if (count < leastCount) return null;
  return (
    <form
      class="row nowrap"
      onSubmit={(event) => {
        event.preventDefault();
        const box = event.currentTarget.elements.namedItem('seq');
        if (box instanceof HTMLInputElement && box.value) setQuery({ message: Number(box.value) });
      }}
    >
      <label class="row nowrap">
        Message
        <input name="seq" type="number" class="short" required min={1} max={count} />
      </label>
      <button type="submit">Go</button>
    </form>
  );
}
