/** The names of the algorithms that build and search an index. Every version is a hash of its algorithm's name, too. */

/** The algorithm of each version whose manifest names none. Deployments search such versions until the next deployment. */
export const firstAlgorithm = 'minisearch-7/postings-1/chunks-1200-3/terms-2';

/** The algorithm of new versions. */
export const currentAlgorithm = 'bm25f-1/postings-1/chunks-1200-3/terms-3';
