/** Plots of counts and of values. uPlot is loaded when the first plot is shown. */

import { useEffect, useRef, useState } from 'preact/hooks';
import type uPlot from 'uplot';

type Props = {
  /** The name of the counts, such as `Messages`. */
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

/** A plot of counts. Its caption has the sum, or the count of the day under the pointer. */
export function Plot({ label, days, values, group }: Props) {
  const { host, at, isFailed } = usePlot({ days, values, group });
  const sum = values.reduce((total, value) => total + value, 0);
  const day = at === undefined ? undefined : days[at];
  const count = day === undefined ? sum : (values[at ?? 0] ?? 0);
  return (
    <figure class="plot">
      <figcaption>
        <span>{label}</span>
        <strong>{count.toLocaleString('en')}</strong>
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

type Shape = {
  /** The days; undefined for a plot by name. */
  days: readonly string[] | undefined;
  /** The name of each place on the axis, if it is no day. */
  names?: readonly string[];
  /** The value of each place; null for a place without a value. */
  values: readonly (number | null)[];
  group: string;
  /** The lowest and the highest value. Without a scale, the values are counts from 0. */
  scale?: readonly [number, number];
  show?: (value: number) => string;
};

/** @returns the element of the plot, and the place under the pointer */
function usePlot(shape: Shape) {
  const host = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<number | undefined>(undefined);
  const [isFailed, setIsFailed] = useState(false);
  const { days, names, values, group, scale } = shape;
  // A rendering with the same shape keeps the plot.
  useEffect(() => {
    const element = host.current;
    if (!element) return;
    let isShown = true;
    let stop = () => {};
    import('uplot').then(
      ({ default: Plotter }) => {
        if (isShown) stop = draw(Plotter, { ...shape, element, onPlace: setAt });
      },
      () => isShown && setIsFailed(true),
    );
    return () => {
      isShown = false;
      stop();
    };
  }, [JSON.stringify([days, names, values, group, scale])]);
  return { host, at, isFailed };
}

type ValueProps = {
  /** The name of the values, such as `Mean by day`. */
  label: string;
  /** Days (UTC), the oldest first, without gaps; or else the names of the places. */
  days?: readonly string[];
  names?: readonly string[];
  /** The value of each place; null for a place without a value. */
  values: readonly (number | null)[];
  /** The value of all places together. */
  total: number | null;
  /** The places together, such as `in 30 days`. */
  totalName: string;
  /** The lowest and the highest value. */
  scale: readonly [number, number];
  show: (value: number) => string;
};

/** A plot of means or shares, by day or by name. Its caption has the total, or the value of the place under the pointer. */
export function ValuePlot({ label, days, names, values, total, totalName, scale, show }: ValueProps) {
  const { host, at, isFailed } = usePlot({
    days,
    ...(names && { names }),
    values,
    group: label,
    scale,
    show,
  });
  const day = at === undefined ? undefined : days?.[at];
  const placeName = day === undefined ? names?.[at ?? -1] : dayOf.format(Date.parse(day));
  const value = placeName === undefined ? total : (values[at ?? 0] ?? null);
  const totalText = total === null ? 'no value' : show(total);
  return (
    <figure class="plot">
      <figcaption>
        <span>{label}</span>
        <strong>{value === null ? '—' : show(value)}</strong>
        <span class="quiet">
          <bdi>{placeName ?? totalName}</bdi>
        </span>
      </figcaption>
      <div
        ref={host}
        class="canvas"
        role="img"
        aria-label={`${label}: ${totalText} ${totalName}. The table has the numbers.`}
      />
      {isFailed && <p class="quiet">The plot could not be loaded. The table has the same numbers.</p>}
    </figure>
  );
}

type Drawing = Shape & {
  element: HTMLElement;
  onPlace: (index: number | undefined) => void;
};

/** @returns a function that removes the plot */
function draw(Plotter: typeof uPlot, drawing: Drawing): () => void {
  const { element, days, names = [], values, group, scale, show, onPlace } = drawing;
  let colours = coloursOf(element);
  // Without days, the places are one unit apart.
  const half = days ? halfDay : 0.5;
  const isLine = scale !== undefined && days !== undefined;
  const places = days ? days.map((day) => Date.parse(day) / 1000) : names.map((_, index) => index);
  const axis: uPlot.Axis = {
    stroke: () => colours.quiet,
    font: '12px system-ui, sans-serif',
    ticks: { show: false },
  };
  const plot = new Plotter(
    {
      width: Math.max(element.clientWidth, 100),
      height,
      padding: [8, 8, 0, 0],
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false }, sync: { key: group } },
      tzDate: (seconds) => Plotter.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
      scales: {
        // The first and the last bar are whole.
        x: { time: days !== undefined, range: (_plot, min, max) => [min - half, max + half] },
        y: {
          range: (_plot, _min, max) => (scale ? padded(scale) : [0, Math.max(Math.ceil(max * 1.1), 4)]),
        },
      },
      series: [
        {},
        {
          stroke: () => colours.accent,
          fill: () => (isLine ? 'transparent' : colours.accent),
          width: isLine ? 1.5 : 0,
          // The lowest value of a scale has no bar.
          points: { show: scale !== undefined, size: 8, fill: () => colours.accent },
          ...(!isLine && Plotter.paths.bars && { paths: Plotter.paths.bars({ size: [0.7, 28] }) }),
        },
      ],
      axes: [
        {
          ...axis,
          size: 28,
          grid: { show: false },
          space: 70,
          incrs: [1, 2, 5, 7, 10, 14, 30].map((count) => count * (days ? 86_400 : 1)),
          values: (_plot, splits) =>
            splits.map((split) => (days ? tickOf.format(split * 1000) : shortName(names[split]))),
        },
        {
          ...axis,
          size: 44,
          grid: { stroke: () => colours.line, width: 1 },
          ...(!scale && {
            incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 50_000, 100_000, 1_000_000],
          }),
          values: (_plot, splits) =>
            splits.map((value) => (isOutside(value, scale) ? '' : (show ?? compact.format)(value))),
        },
      ],
      hooks: { setCursor: [({ cursor: { idx } }) => onPlace(idx ?? undefined)] },
    },
    [places, [...values]],
    element,
  );
  const resizeObserver = new ResizeObserver(() =>
    plot.setSize({ width: Math.max(element.clientWidth, 100), height }),
  );
  resizeObserver.observe(element);
  const theme = window.matchMedia('(prefers-color-scheme: dark)');
  const recolour = () => {
    colours = coloursOf(element);
    plot.redraw(true);
  };
  theme.addEventListener('change', recolour);
  return () => {
    resizeObserver.disconnect();
    theme.removeEventListener('change', recolour);
    plot.destroy();
  };
}

/** @returns the scale with room for points at its ends */
function padded([lowest, highest]: readonly [number, number]): [number, number] {
  const room = (highest - lowest) * 0.08;
  return [lowest - room, highest + room];
}

const isOutside = (value: number, scale: Shape['scale']): boolean =>
  scale !== undefined && (value < scale[0] || value > scale[1]);

const maxTick = 14;
/** @param name the name of a place; undefined for a tick between two places */
const shortName = (name = ''): string => (name.length > maxTick ? `${name.slice(0, maxTick - 1)}…` : name);

const compact = new Intl.NumberFormat('en', { notation: 'compact' });

/** @returns the colours of the current theme: a canvas does not know the variables of the style sheet */
function coloursOf(element: HTMLElement): { accent: string; quiet: string; line: string } {
  const probe = document.createElement('span');
  element.append(probe);
  const colourOf = (name: string) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const colours = { accent: colourOf('--accent'), quiet: colourOf('--quiet'), line: colourOf('--line') };
  probe.remove();
  return colours;
}
