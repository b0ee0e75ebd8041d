/** Draws the plots in docs/plots/ from the tables of docs/performance.md, so that they always agree. */

import { bar, curve, dot, line, picture, text } from './svg.ts';

const width = 760;

/** By file name in docs/plots/: a function that draws the plot from the text of docs/performance.md. */
export const plots: Readonly<Record<string, (document: string) => string>> = {
  'cold-path.svg': coldPathPlot,
  'growth.svg': growthPlot,
  'races.svg': racesPlot,
};

/** @returns the first table between the marks of a benchmark @throws Error if there is none */
function tableOf(document: string, name: string): { head: string[]; rows: string[][] } {
  const [, section = ''] = new RegExp(`<!-- ${name} -->([\\s\\S]*?)<!-- /${name} -->`).exec(document) ?? [];
  const lines = (/(?:^\|.*\|\n)+/m.exec(section)?.[0] ?? '').trim().split('\n');
  const [head = [], , ...rows] = lines.map((row) =>
    row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.replaceAll('`', '').trim()),
  );
  if (rows.length === 0) throw new Error(`docs/performance.md has no table of ${name}`);
  return { head, rows };
}

/** @returns the number at the start of a cell, `1,026.3 ms` as 1026.3 @throws Error if there is none */
function numberIn(cell: string | undefined): number {
  const value = Number.parseFloat(cell?.replaceAll(',', '') ?? '');
  if (Number.isNaN(value)) throw new Error(`docs/performance.md: "${cell}" is not a number`);
  return value;
}

function coldPathPlot(document: string): string {
  const bundles = tableOf(document, 'cold-path').rows.map(
    ([name = '', size = '', importing, , total = '']) => ({
      name,
      size,
      importMs: numberIn(importing),
      total,
      totalMs: numberIn(total),
    }),
  );
  const ratios = /\*\*([\d.]+)\*\* to naive.*?\*\*([\d.]+)\*\* to minified/.exec(document);
  if (!ratios) throw new Error('docs/performance.md has no ratios of the cold path');
  const longest = Math.max(...bundles.map(({ totalMs }) => totalMs));
  const [left, top, rowHeight] = [100, 62, 40];
  const scale = (ms: number) => (ms / longest) * (width - left - 110);
  const parts = bundles.flatMap(({ name, size, importMs, total, totalMs }, index) => {
    const y = top + index * rowHeight;
    const isOurs = name === 'ours';
    return [
      text(left - 12, y + 12, name, '', 'end'),
      text(left - 12, y + 27, size, 'soft', 'end'),
      bar(left, y, scale(totalMs), 26, isOurs ? 'weak' : 'faint'),
      bar(left, y, scale(importMs), 26, isOurs ? 'strong' : 'other'),
      text(left + scale(totalMs) + 10, y + 18, total),
    ];
  });
  const bottom = top + bundles.length * rowHeight;
  const notes = [
    'Left part: importing the bundle. Right part: the rest of the first request.',
    `The median of the ratios, round by round: ${ratios[1]} to naive, ${ratios[2]} to minified.`,
  ];
  const title = 'Cold path of GET /projects/{project_id}: shorter is better';
  const described = bundles.map(
    ({ name, size, importMs, total }) =>
      `${name}, a bundle of ${size}: ${total}, of which ${importMs} ms for the import`,
  );
  return picture(width, bottom + 50, title, `${described.join('; ')}. ${notes[1]}`, [
    ...parts,
    ...notes.map((note, index) => text(left, bottom + 12 + 20 * index, note, 'soft')),
  ]);
}

/** The cost of a page with little and with much stored data. */
type Growth = { what: string; few: number; many: number };

function growthPlot(document: string): string {
  const pages = tableOf(document, 'growth').rows;
  const sizes = [...new Set(pages.map(([stored = '']) => stored))];
  const projects = pages
    .filter(([stored]) => stored === sizes[0])
    .map(([, what = '', , units]): Growth => {
      const many = pages.find(([stored, same]) => stored === sizes[1] && same === what)?.[3];
      return { what: `list, ${what}`, few: numberIn(units), many: numberIn(many) };
    });
  const conversations = tableOf(document, 'conversations').rows.map(([what = '', , , units = '']): Growth => {
    const [few, many] = units.split('→');
    return { what, few: numberIn(few), many: numberIn(many) };
  });
  const [stored = ''] = /[\d,]+ → [\d,]+ messages/.exec(document) ?? [];
  const groups = [
    { heading: `Projects: ${sizes.join(' → ')}`, rows: projects },
    { heading: `Messages: ${stored.replace(' messages', '')}`, rows: conversations },
  ];

  const [left, right, rowHeight] = [350, width - 110, 24];
  const scale = (units: number) => left + (Math.log10(units) / 3) * (right - left);
  const parts: string[] = [];
  let y = 62;
  for (const { heading, rows } of groups) {
    parts.push(text(20, y + 4, heading, 'soft'));
    y += rowHeight;
    for (const { what, few, many } of rows) {
      parts.push(
        text(36, y + 4, what),
        line(scale(few), y, scale(many), y, 'span'),
        dot(scale(few), y, 6, 'ring'),
        dot(scale(many), y, 4, 'strong'),
        text(width - 20, y + 4, `${few} → ${many}`, '', 'end'),
      );
      y += rowHeight;
    }
    y += 6;
  }
  const axis = [1, 10, 100, 1000].flatMap((units) => [
    line(scale(units), 50, scale(units), y - 10, 'grid'),
    text(scale(units), y + 8, `${units}`, 'soft', 'middle'),
  ]);
  const described = groups.map(
    ({ heading, rows }) =>
      `${heading}. ${rows.map(({ what, few, many }) => `${what}: ${few} → ${many}`).join('; ')}`,
  );
  const title = 'Read units of one request, with little stored (ring) and with much (dot)';
  return picture(width, y + 42, title, `${described.join('. ')}.`, [
    ...axis,
    ...parts,
    text((left + right) / 2, y + 28, 'read units, on a logarithmic scale', 'soft', 'middle'),
  ]);
}

function racesPlot(document: string): string {
  const { head, rows } = tableOf(document, 'races');
  const [, responses = '', resources = '', ...times] = rows[0] ?? [];
  const total = numberIn(responses);
  const counts = head.slice(3).map((name) => ({ first: 1, last: total })[name] ?? numberIn(name));
  const moments = times.map((cell, index) => ({
    cell,
    ms: numberIn(cell),
    answered: counts[index] ?? Number.NaN,
  }));
  const last = moments.at(-1);
  if (!last || moments.length < 2)
    throw new Error('docs/performance.md does not say when the duplicates were answered');
  const [left, right, top, bottom] = [60, width - 120, 60, 210];
  const x = (ms: number) => left + (ms / last.ms) * (right - left);
  const y = (answered: number) => bottom - (answered / total) * (bottom - top);
  const levels = [0, total / 2, total].flatMap((answered) => [
    line(left, y(answered), right, y(answered), 'grid'),
    text(left - 10, y(answered) + 4, `${answered}`, 'soft', 'end'),
  ]);
  const points = moments.map(({ ms, answered }) => [x(ms), y(answered)] as const);
  const title = `Fifty simultaneous duplicates: ${responses}, and ${resources} resource`;
  const described = moments.map(({ answered, cell }) => `${answered} after ${cell}`);
  return picture(width, 258, title, `Responses sent, over time: ${described.join('; ')}.`, [
    ...levels,
    curve([[x(0), y(0)], [x(moments[0]?.ms ?? 0), y(0)], ...points], 'curve'),
    ...points.map(([px, py]) => dot(px, py, 4, 'strong')),
    text(x(last.ms) + 12, y(total) + 4, last.cell),
    text(x(moments[0]?.ms ?? 0), bottom + 20, moments[0]?.cell ?? '', 'soft', 'middle'),
    text(x(0), bottom + 20, '0 ms', 'soft', 'middle'),
    text(
      (left + right) / 2,
      bottom + 38,
      'responses sent since all fifty requests arrived',
      'soft',
      'middle',
    ),
  ]);
}
