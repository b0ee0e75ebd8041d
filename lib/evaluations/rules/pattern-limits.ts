/** The limits of the regular expressions of a rule. */

export const maxPatternLength = 500;

/**
 * The steps of the expressions of one rule, together. Each character of a message takes at most so many steps. With 50, the slowest
 * known expressions read about a megabyte in a second; with 200, some read 60 KB.
 */
export const maxPatternSteps = 50;

/** Each expression may keep 8 MB of states that texts have led to. */
export const maxPatterns = 10;
