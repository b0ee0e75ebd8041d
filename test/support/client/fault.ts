/** What can happen to a request. The service has acted in all cases whose names do not say `before`. */
export const faults = [
  'reset before',
  '429 before',
  '503 before',
  'lost response',
  'cut body',
  'stalled body',
  'slow body',
  '500 after',
  '502 page after',
  '504 after',
] as const;

export type Fault = (typeof faults)[number];
