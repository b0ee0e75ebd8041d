/** Times, durations and countdowns. A time is relative to now, with the exact time on hover. A few timers update all times. */

import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';

/** An old time is drawn again less often: a list has thousands of them, and they seldom change. */
const clocks = [
  { belowMs: 3_600_000, everyMs: 10_000 },
  { belowMs: 86_400_000, everyMs: 300_000 },
  { belowMs: Number.POSITIVE_INFINITY, everyMs: 3_600_000 },
].map(({ belowMs, everyMs }) => {
  const now = signal(Date.now());
  setInterval(() => {
    now.value = Date.now();
  }, everyMs);
  return { belowMs, now };
});

/** @returns the current time, as exactly as the distance to a time needs it */
const nowFor = (at: number): number => {
  const distance = Math.abs(Date.now() - at);
  return clocks.find(({ belowMs }) => distance < belowMs)?.now.value ?? Date.now();
};

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const short = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const exact = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' });

/** @returns `3 hours ago`, `in 2 days` or `just now` */
export function relativeTime(at: number, nowMs: number): string {
  const difference = at - nowMs;
  const [unit, length] = units.find(([, size]) => Math.abs(difference) >= size) ?? [];
  if (!unit || !length)
    return Math.abs(difference) < 15_000
      ? 'just now'
      : relative.format(Math.round(difference / 1000), 'second');
  return relative.format(Math.round(difference / length), unit);
}

type TimeProps = {
  at: string | null | undefined;
  none?: string;
  /** Whether the date and the time are shown, such as after `since`. */
  isExact?: boolean;
};

export function Time({ at, none = 'never', isExact }: TimeProps) {
  if (!at) return <span class="quiet">{none}</span>;
  const ms = Date.parse(at);
  return (
    <time dateTime={at} title={`${exact.format(ms)} (${at})`}>
      {isExact ? short.format(ms) : relativeTime(ms, nowFor(ms))}
    </time>
  );
}

/** `in 3 days (Nov 27, 2026, 9:00 AM)`. */
export const TimeWithDate = ({ at }: { at: string | null }) => (
  <>
    <Time at={at} />
    {at && (
      <>
        {' '}
        (<Time at={at} isExact />)
      </>
    )}
  </>
);

/** @returns `1 h 2 min`, `45 s` */
export function duration(seconds: number): string {
  const total = Math.round(seconds);
  if (total < 60) return `${total} s`;
  const minutes = Math.floor(total / 60);
  const [large, small] =
    minutes < 60
      ? [`${minutes} min`, [total % 60, 's'] as const]
      : [`${Math.floor(minutes / 60)} h`, [minutes % 60, 'min'] as const];
  return small[0] === 0 ? large : `${large} ${small.join(' ')}`;
}

/** @returns `23 h 59 min 4 s`; without the units that are too small to matter */
export function timeLeft(seconds: number): string {
  const [days, hours, minutes] = [86_400, 3600, 60].map((size) => Math.floor(seconds / size));
  if (days) return `${days} d ${Math.floor((seconds % 86_400) / 3600)} h`;
  const rest = `${Math.floor((seconds % 3600) / 60)} min ${seconds % 60} s`;
  if (hours) return `${hours} h ${rest}`;
  return minutes ? rest : `${seconds} s`;
}

/**
 * The time until a moment, to the second.
 *
 * @param onEnd is called when the time is up
 */
export function Countdown({ until, onEnd }: { until: string; onEnd?: () => void }) {
  const secondsLeft = () => Math.max(0, Math.ceil((Date.parse(until) - Date.now()) / 1000));
  const [seconds, setSeconds] = useState(secondsLeft);
  // A caller passes a new callback in each rendering, which must not restart the countdown.
  useEffect(() => {
    setSeconds(secondsLeft());
    const timer = setInterval(() => {
      const now = secondsLeft();
      setSeconds(now);
      if (now > 0) return;
      clearInterval(timer);
      onEnd?.();
    }, 1000);
    return () => clearInterval(timer);
  }, [until]);
  return (
    <time class="countdown" dateTime={until} title={until}>
      {seconds > 0 ? timeLeft(seconds) : 'now'}
    </time>
  );
}
