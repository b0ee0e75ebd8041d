/** The time until a moment, to the second. */

import { useEffect, useState } from 'preact/hooks';

/** @returns `23 h 59 min 4 s`; without the units that are too small to matter */
export function timeLeft(seconds: number): string {
  const [days, hours, minutes] = [86_400, 3600, 60].map((size) => Math.floor(seconds / size));
  if (days) return `${days} d ${Math.floor((seconds % 86_400) / 3600)} h`;
  const rest = `${Math.floor((seconds % 3600) / 60)} min ${seconds % 60} s`;
  if (hours) return `${hours} h ${rest}`;
  return minutes ? rest : `${seconds} s`;
}

/** @param onEnd is called when the time is up */
export function Countdown({ until, onEnd }: { until: string; onEnd?: () => void }) {
  const secondsLeft = () => Math.max(0, Math.ceil((Date.parse(until) - Date.now()) / 1000));
  const [seconds, setSeconds] = useState(secondsLeft);
  // A caller passes a new callback in each rendering, which must not restart the countdown
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
