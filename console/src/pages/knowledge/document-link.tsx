/** A link to a document by its title, for pages that have only its id. */

import { ResourceLink } from '../../shared/resource-link.tsx';
import { resourceName } from '../../shared/resource-names.ts';

export const DocumentLink = ({ project, id }: { project: string; id: string }) => (
  <ResourceLink id={id} project={project} name={resourceName(id, project) ?? `Document …${id.slice(-6)}`} />
);
