/** Says once that the service offers a newer client. */

let isMentioned = false;

/**
 * @param latest the header `Platform-Client-Latest`, which the service sends to older clients
 * @param say gets the sentence
 */
export function mentionLatest(latest: string | null, version: string, say: (sentence: string) => void): void {
  if (latest === null || isMentioned) return;
  isMentioned = true;
  say(`The service offers version ${latest.slice(0, 40)}. This is ${version}.`);
}
