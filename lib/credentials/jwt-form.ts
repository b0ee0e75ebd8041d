/** The form and the claims of a bearer token. Nothing here is verified. */

/** A JWT has three parts in base64url, of which the first is a JSON object. The last part is empty for an unsigned token. */
export const hasJwtForm = (token: string): boolean => /^ey[\w-]+\.[\w-]+\.[\w-]*$/.test(token);

/** @returns the claim `aud` of a JWT as a list; empty if it has none, or cannot be read */
export function audiencesIn(token: string): unknown[] {
  if (!hasJwtForm(token)) return [];
  const [, payload = ''] = token.split('.');
  try {
    const { aud = [] } = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    return [aud].flat();
  } catch {
    return [];
  }
}
