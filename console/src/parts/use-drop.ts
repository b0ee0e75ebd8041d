/** Where files can be dropped. */

import { useState } from 'preact/hooks';

/**
 * @param onDrop gets what was dropped
 * @param isBusy takes nothing
 * @returns whether something is held over the element, and the listeners of the element
 */
export function useDrop(onDrop: (dropped: DataTransfer) => void, isBusy = false) {
  const [isOver, setIsOver] = useState(false);
  const listeners = {
    onDragOver(event: DragEvent) {
      event.preventDefault();
      setIsOver(!isBusy);
    },
    onDragLeave: () => setIsOver(false),
    onDrop(event: DragEvent) {
      event.preventDefault();
      setIsOver(false);
      if (!isBusy && event.dataTransfer) onDrop(event.dataTransfer);
    },
  };
  return { isOver, listeners };
}
