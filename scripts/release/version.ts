/** Versions of releases (semver.org), without pre-releases: a download adds its commit as a pre-release. */

import type { Version } from '../../lib/http/client-version.ts';

/** @returns undefined for anything but three numbers, such as `0.2.0` */
export function parseVersion(text: string): Version | undefined {
  const [, major, minor, patch] = /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})$/.exec(text) ?? [];
  return patch === undefined ? undefined : [Number(major), Number(minor), Number(patch)];
}

/** Whether a release may break callers of the last release: a new major version may, and before 1.0 a new minor version. */
export const mayBreak = (last: Version, next: Version): boolean =>
  next[0] > last[0] || (last[0] === 0 && next[0] === 0 && next[1] > last[1]);
