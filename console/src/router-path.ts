/** Patterns of paths. */

/** @returns the decoded parameters of a pattern such as `/projects/:project`; undefined for another path */
export function matchPath(pattern: string, target: string): Record<string, string> | undefined {
  const wanted = pattern.split('/');
  const parts = target.split('/');
  if (wanted.length !== parts.length) return undefined;
  const found: Record<string, string> = {};
  for (const [at, name] of wanted.entries()) {
    const part = parts[at] ?? '';
    if (!name.startsWith(':')) {
      if (name !== part) return undefined;
    } else {
      const value = decoded(part);
      if (!value) return undefined;
      found[name.slice(1)] = value;
    }
  }
  return found;
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
