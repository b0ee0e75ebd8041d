/** An element on which files can be dropped. */

import { useState } from 'preact/hooks';

/**
 * @param onDrop gets the dropped files
 * @param isBusy whether the element refuses files
 * @returns whether something is dragged over the element, and the listeners of the element
 */
export function useDrop(onDrop: (transfer: DataTransfer) => void, isBusy = false) {
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
