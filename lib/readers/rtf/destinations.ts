/** The words of RTF that stand for a character, or say where the text of their group goes. */

/** Where the text of a group goes. */
export type Target =
  | 'body'
  | 'skipped'
  | 'fonts'
  | 'styles'
  | 'marker'
  | 'note'
  | 'nested row'
  | 'alternatives';

const skippedDestinations = new Set(
  (
    'colortbl info pict objdata header headerl headerr headerf footer footerl footerr footerf fldinst xe tc rxe bkmkstart ' +
    'bkmkend listtable listoverridetable revtbl rsidtbl generator themedata colorschememapping datastore latentstyles xmlnstbl ' +
    'shprslt sp nonesttables ftnsep ftnsepc aftnsep aftnsepc atnid atnauthor template filetbl userprops docvar do nonshppict list listoverride'
  ).split(' '),
);

/** Destinations with `\*` that are read. All others with `\*` are skipped. */
const readDestinations = new Set(['shpinst', 'shptxt']);

export const characters: Readonly<Record<string, string>> = {
  tab: '\t',
  line: '\n',
  emdash: '—',
  endash: '–',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  bullet: '•',
  emspace: ' ',
  enspace: ' ',
  qmspace: ' ',
  '~': ' ',
  _: '-',
  '{': '{',
  '}': '}',
  '\\': '\\',
};

/** @param isStarred whether `\*` is before the name @returns undefined if the word is no destination */
export function targetOf(name: string, isStarred: boolean): Target | undefined {
  if (name === 'fonttbl') return 'fonts';
  if (name === 'stylesheet') return 'styles';
  if (name === 'listtext' || name === 'pntext') return 'marker';
  if (name === 'footnote') return 'note';
  if (name === 'upr') return 'alternatives';
  if (name === 'nesttableprops') return 'nested row';
  if (name === 'annotation' || skippedDestinations.has(name)) return 'skipped';
  return isStarred && !readDestinations.has(name) ? 'skipped' : undefined;
}
