/** The patterns of the paths of pages. */

/** @returns the decoded parameters of a pattern such as `/projects/:project`; undefined for another path */
export function matchPath(pattern: string, target: string): Record<string, string> | undefined {
  const patternSegments = pattern.split('/');
  const segments = target.split('/');
  if (patternSegments.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, name] of patternSegments.entries()) {
    const segment = segments[at] ?? '';
    if (!name.startsWith(':')) {
      if (name !== segment) return undefined;
    } else {
      const value = decode(segment);
      if (!value) return undefined;
      params[name.slice(1)] = value;
    }
  }
  return params;
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** The parameters in the path of a page, by their names in its pattern. */
export type PageParams = Readonly<Record<string, string>>;
