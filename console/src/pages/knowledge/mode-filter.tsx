/** The filter by the mode of a search. The mode is in the address of the page. */

import { filterChoice, SelectFilter } from '../../shared/query-filters.tsx';

/** @returns the mode; undefined for words and meaning */
export const modeInAddress = (): 'lexical' | undefined => filterChoice('mode', ['lexical']);

export const ModeFilter = () => (
  <SelectFilter
    name="mode"
    label="Search by"
    anyLabel="words and meaning"
    options={[['lexical', 'words only']]}
  />
);
