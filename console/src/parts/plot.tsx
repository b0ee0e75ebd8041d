/** A plot of counts per day. uPlot is loaded when the first plot is shown. */

import { useEffect, useRef, useState } from 'preact/hooks';
import type uPlot from 'uplot';

type Props = {
  /** What is counted, such as `Messages`. */
  label: string;
  /** Days (UTC), the oldest first, without gaps: `2026-03-01`. */
  days: readonly string[];
  /** The count of each day. */
  values: readonly number[];
  /** Plots with the same group show the same day under the pointer. */
  group: string;
};

const height = 150;
const halfDay = 43_200;
const dayOf = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });
const tickOf = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** @returns the sum, or the count of the day under the pointer, with its day */
export function Plot({ label, days, values, group }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<number | undefined>(undefined);
  const [isFailed, setIsFailed] = useState(false);
  // Another range draws another plot
  useEffect(() => {
    const place = host.current;
    if (!place) return;
    let isShown = true;
    let stop = () => {};
    import('uplot').then(
      ({ default: Plotter }) => {
        if (isShown) stop = draw(Plotter, { place, days, values, group, onDay: setAt });
      },
      () => isShown && setIsFailed(true),
    );
    return () => {
      isShown = false;
      stop();
    };
  }, [days.join(), values.join(), group]);
  const sum = values.reduce((total, value) => total + value, 0);
  const day = at === undefined ? undefined : days[at];
  const shown = day === undefined ? sum : (values[at ?? 0] ?? 0);
  return (
    <figure class="plot">
      <figcaption>
        <span>{label}</span>
        <strong>{shown.toLocaleString('en')}</strong>
        <span class="quiet">
          {day === undefined ? `in ${days.length} days` : dayOf.format(Date.parse(day))}
        </span>
      </figcaption>
      <div
        ref={host}
        class="canvas"
        role="img"
        aria-label={`${label} per day: ${sum.toLocaleString('en')} in ${days.length} days. The table has the numbers.`}
      />
      {isFailed && <p class="quiet">The plot could not be loaded. The table has the same numbers.</p>}
    </figure>
  );
}

type Drawing = {
  place: HTMLElement;
  days: readonly string[];
  values: readonly number[];
  group: string;
  onDay: (index: number | undefined) => void;
};

/** @returns a function that removes the plot */
function draw(Plotter: typeof uPlot, { place, days, values, group, onDay }: Drawing): () => void {
  let colours = coloursOf(place);
  const axis: uPlot.Axis = {
    stroke: () => colours.quiet,
    font: '12px system-ui, sans-serif',
    ticks: { show: false },
  };
  const plot = new Plotter(
    {
      width: Math.max(place.clientWidth, 100),
      height,
      padding: [8, 8, 0, 0],
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false }, sync: { key: group } },
      tzDate: (seconds) => Plotter.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      scales: {
        // The first and the last bar are whole.
        x: { range: (_plot, min, max) => [min - halfDay, max + halfDay] },
        y: { range: (_plot, _min, max) => [0, Math.max(Math.ceil(max * 1.1), 4)] },
      },
      series: [
        {},
        {
          stroke: () => colours.accent,
          fill: () => colours.accent,
          width: 0,
          points: { show: false },
          ...(Plotter.paths.bars && { paths: Plotter.paths.bars({ size: [0.7, 28] }) }),
        },
      ],
      axes: [
        {
          ...axis,
          size: 28,
          grid: { show: false },
          space: 70,
          incrs: [1, 2, 5, 7, 10, 14, 30].map((count) => count * 86_400),
          values: (_plot, splits) => splits.map((seconds) => tickOf.format(seconds * 1000)),
        },
        {
          ...axis,
          size: 44,
          grid: { stroke: () => colours.line, width: 1 },
          incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000, 100_000, 1_000_000],
          values: (_plot, splits) => splits.map((count) => compact.format(count)),
        },
      ],
      hooks: { setCursor: [({ cursor: { idx } }) => onDay(idx ?? undefined)] },
    },
    [days.map((day) => Date.parse(day) / 1000), [...values]],
    place,
  );
  const resized = new ResizeObserver(() => plot.setSize({ width: Math.max(place.clientWidth, 100), height }));
  resized.observe(place);
  const theme = window.matchMedia('(prefers-color-scheme: dark)');
  const recolour = () => {
    colours = coloursOf(place);
    plot.redraw(true);
  };
  theme.addEventListener('change', recolour);
  return () => {
    resized.disconnect();
    theme.removeEventListener('change', recolour);
    plot.destroy();
  };
}

const compact = new Intl.NumberFormat('en', { notation: 'compact' });

/** @returns the colours of the current theme: a canvas does not know the variables of the style sheet */
function coloursOf(place: HTMLElement): { accent: string; quiet: string; line: string } {
  const probe = document.createElement('span');
  place.append(probe);
  const resolved = (name: string) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const colours = { accent: resolved('--accent'), quiet: resolved('--quiet'), line: resolved('--line') };
  probe.remove();
  return colours;
}
