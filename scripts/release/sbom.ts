/** The list of components (CycloneDX) that npm writes, made the same for each build of a commit. */

import { createHash } from 'node:crypto';

type Component = { 'bom-ref': string; name: string };
export type Sbom = {
  serialNumber: string;
  metadata: { timestamp: string; component: Component };
  components: Component[];
};

/**
 * @param atMs the time of the commit, in epoch milliseconds
 * @returns the same components, with the names of their packages: npm names a package of the repository after its folder
 */
export function settledSbom(sbom: Sbom, atMs: number): Sbom {
  const settled = {
    ...sbom,
    serialNumber: '',
    metadata: {
      ...sbom.metadata,
      timestamp: new Date(atMs).toISOString(),
      component: named(sbom.metadata.component),
    },
    components: sbom.components.map(named),
  };
  return { ...settled, serialNumber: `urn:uuid:${uuidOf(JSON.stringify(settled))}` };
}

/** The reference is `name@version`, and a name may begin with `@`. */
const named = <C extends Component>(component: C): C => ({
  ...component,
  name: component['bom-ref'].slice(0, component['bom-ref'].lastIndexOf('@')),
});

/** A UUID of version 8 (RFC 9562), from a hash. */
function uuidOf(text: string): string {
  const digits = createHash('sha256').update(text).digest('hex');
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `a${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}
