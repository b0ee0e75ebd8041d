/** SVG as text. Each plot paints its own background, so it is readable in light and in dark mode. */

/** The style of all plots. `<img>` renders an SVG in the reader's colour scheme. */
const style = `
  :root { --back: #ffffff; --frame: #d1d9e0; --ink: #1f2328; --soft: #59636e; --strong: #0969da; --weak: #80ccff; --other: #6e7781; --faint: #c4ccd4 }
  @media (prefers-color-scheme: dark) {
    :root { --back: #0d1117; --frame: #3d444d; --ink: #f0f6fc; --soft: #9198a1; --strong: #4493f8; --weak: #1f4b8e; --other: #9198a1; --faint: #4a525c }
  }
  text { font: 13px system-ui, -apple-system, 'Segoe UI', 'Liberation Sans', sans-serif; fill: var(--ink) }
  .heading { font-size: 15px; font-weight: 600 }
  .soft { fill: var(--soft) }
  .back { fill: var(--back); stroke: var(--frame) }
  .grid { stroke: var(--frame) }
  .strong { fill: var(--strong) }
  .weak { fill: var(--weak) }
  .other { fill: var(--other) }
  .faint { fill: var(--faint) }
  .curve { fill: none; stroke: var(--strong); stroke-width: 2 }
  .ring { fill: var(--back); stroke: var(--strong); stroke-width: 2 }
  .span { stroke: var(--strong); stroke-width: 2 }
`;

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const at = (value: number): string => String(Math.round(value * 10) / 10);

export const text = (x: number, y: number, content: string, look = '', anchor = 'start'): string =>
  `<text x="${at(x)}" y="${at(y)}"${look && ` class="${look}"`}${anchor === 'start' ? '' : ` text-anchor="${anchor}"`}>${escaped(content)}</text>`;

export const bar = (x: number, y: number, width: number, height: number, look: string): string =>
  `<rect x="${at(x)}" y="${at(y)}" width="${at(width)}" height="${at(height)}" class="${look}"/>`;

export const line = (x1: number, y1: number, x2: number, y2: number, look: string): string =>
  `<line x1="${at(x1)}" y1="${at(y1)}" x2="${at(x2)}" y2="${at(y2)}" class="${look}"/>`;

export const dot = (x: number, y: number, radius: number, look: string): string =>
  `<circle cx="${at(x)}" cy="${at(y)}" r="${radius}" class="${look}"/>`;

export const curve = (points: readonly (readonly [number, number])[], look: string): string =>
  `<polyline points="${points.map(([x, y]) => `${at(x)},${at(y)}`).join(' ')}" class="${look}"/>`;

/**
 * @param title what the picture says, in one sentence: its heading, and its name for a screen reader
 * @param description all figures of the picture in words, for a screen reader
 * @param parts what is drawn below the heading, which takes the first 40 units
 */
export function picture(
  width: number,
  height: number,
  title: string,
  description: string,
  parts: readonly string[],
): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title description">`,
    `<title id="title">${escaped(title)}</title>`,
    `<desc id="description">${escaped(description)}</desc>`,
    `<style>${style}</style>`,
    `<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="6" class="back"/>`,
    text(20, 30, title, 'heading'),
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}
