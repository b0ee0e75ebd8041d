/** A document by its title, where only its id is known. */

import { knownName } from '../../parts/known-names.ts';
import { ResourceLink } from '../../parts/resource-link.tsx';

export const DocumentLink = ({ project, id }: { project: string; id: string }) => (
  <ResourceLink id={id} project={project} name={knownName(id, project) ?? `Document …${id.slice(-6)}`} />
);
