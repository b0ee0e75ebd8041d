/** The message of a failed request: what happened, and an offer to repeat the request. */

import { useEffect, useState } from 'preact/hooks';
import { ApiError, ConnectionError } from '../../../clients/typescript/src/index.ts';
import { Id } from './copy.tsx';

/** @returns a heading and an explanation */
function explanationOf(error: unknown): { title: string; text: string } {
  if (error instanceof ApiError) {
    const { status, code, reason } = error;
    if (status === 429) return { title: 'Too many requests', text: reason };
    if (status === 503) return { title: 'The service is busy', text: reason };
    if (status === 403) return { title: 'Not allowed', text: reason };
    if (status === 404)
      return { title: 'Not found', text: 'It does not exist, or this credential may not see it.' };
    if (status === 412) return { title: 'Somebody else changed it', text: reason };
    if (status >= 500) return { title: 'The service failed', text: reason };
    return {
      title: code.replaceAll('_', ' ').replace(/^./, (first: string) => first.toUpperCase()),
      // The details are below the text, as a list.
      text: error.details.length > 0 ? (reason.split('\n')[0] ?? '') : reason,
    };
  }
  // `import()` of the code of a page fails without a network, or after an upgrade of the service.
  if (error instanceof TypeError && /import/i.test(error.message))
    return {
      title: 'The page could not be loaded',
      text: 'The service cannot be reached, or it has a newer console. Repeat, or reload the tab.',
    };
  if (error instanceof ConnectionError)
    return { title: 'No connection', text: 'The service could not be reached. Nothing was lost.' };
  return { title: 'The page failed', text: error instanceof Error ? error.message : String(error) };
}

/** @param onRepeat repeats the request; a write keeps its Idempotency-Key */
export function Problem({ error, onRepeat }: { error: unknown; onRepeat?: () => void }) {
  const waitSeconds = useCountdown(error);
  if (error === undefined || (error instanceof DOMException && error.name === 'AbortError')) return null;
  const { title, text } = explanationOf(error);
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  const details = error instanceof ApiError ? error.details : [];
  return (
    <div class="problem" role="alert">
      <strong>{title}</strong>
      <p>{text}</p>
      {details.length > 0 && (
        <ul>
          {details.slice(0, 20).map((detail) => (
            <li key={detail.path}>
              <code>{detail.path}</code> {detail.message}
            </li>
          ))}
        </ul>
      )}
      <p class="row">
        {onRepeat && (
          <button type="button" onClick={onRepeat} disabled={waitSeconds > 0}>
            {waitSeconds > 0 ? `Repeat in ${waitSeconds} s` : 'Repeat'}
          </button>
        )}
        {requestId && (
          <span class="quiet">
            Request <Id value={requestId} />
          </span>
        )}
      </p>
    </div>
  );
}

/** @returns the seconds until the service accepts another request */
function useCountdown(error: unknown): number {
  const retrySeconds = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) : 0;
  const [secondsLeft, setSecondsLeft] = useState(retrySeconds);
  // Each error starts its own countdown.
  useEffect(() => {
    setSecondsLeft(retrySeconds);
    if (retrySeconds <= 0) return;
    const timer = setInterval(() => setSecondsLeft((seconds) => Math.max(0, seconds - 1)), 1000);
    return () => clearInterval(timer);
  }, [error]);
  return secondsLeft;
}
