/** The field for a question. Enter sends it, and Shift+Enter begins a line. */

import { useId, useRef } from 'preact/hooks';

type Props = {
  text: string;
  /** Whether an answer is under way. */
  isBusy: boolean;
  canAsk: boolean;
  isToBoth: boolean;
  hasAsked: boolean;
  onText: (text: string) => void;
  onAsk: (text: string) => void;
  /** Leaves the conversations. */
  onReset: () => void;
};

export function Ask({ text, isBusy, canAsk, isToBoth, hasAsked, onText, onAsk, onReset }: Props) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const send = () => {
    if (!isBusy && canAsk && text.trim() !== '') onAsk(text.trim());
  };
  return (
    <form
      class="try-ask"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label for={id}>{isToBoth ? 'Question to both' : 'Question'}</label>
      <textarea
        id={id}
        ref={field}
        rows={2}
        value={text}
        aria-describedby={`${id}-about`}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
        onKeyDown={(event) => {
          // While an input method composes a word, Enter ends the word.
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          send();
        }}
      />
      <p class="row end">
        <small class="quiet" id={`${id}-about`}>
          Enter sends, Shift+Enter begins a line. A model may cost.
        </small>
        {hasAsked && (
          <button
            type="button"
            onClick={() => {
              onReset();
              field.current?.focus();
            }}
          >
            New chat
          </button>
        )}
        {/* The button stays while the avatar answers, so that it keeps the focus. */}
        <button type="submit" class="primary" aria-disabled={isBusy || undefined} disabled={!canAsk}>
          {isBusy ? 'Answering …' : 'Ask'}
        </button>
      </p>
    </form>
  );
}
