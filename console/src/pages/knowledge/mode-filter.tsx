/** By what the index is searched, in the address of the page. */

import { filterChoice, SelectFilter } from '../../parts/query-filters.tsx';

/** @returns undefined for words and meaning */
export const chosenMode = (): 'lexical' | undefined => filterChoice('mode', ['lexical']);

export const ModeFilter = () => (
  <SelectFilter
    name="mode"
    label="Search by"
    anyLabel="words and meaning"
    options={[['lexical', 'words only']]}
  />
);
