/** How the resources are reached: `platform.projects(id).conversations`. */

import { groupOf, isBound } from '../client/methods.ts';
import { type Operation, pascalCase } from '../client/operations.ts';
import { className } from './methods.ts';
import { pythonName } from './text.ts';

/** @param extended the resources with helpers: `_async/jobs.py` has `AsyncJobsHelpers`, which extends the generated class */
export function resources(operations: readonly Operation[], extended: readonly string[]): string {
  const groups = [...new Set(operations.map(groupOf))].filter((group) => group !== '').sort();
  const bound = new Set(operations.filter(isBound).map(groupOf));
  const top = groups.filter((group) => !group.includes('.'));
  const childrenOf = (group: string) => groups.filter((one) => one.startsWith(`${group}.`));
  const base = (group: string) =>
    extended.includes(group) ? `Async${pascalCase(group)}Helpers` : className(group);
  const typeName = (group: string) =>
    childrenOf(group).length > 0 ? `Async${pascalCase(group)}` : base(group);
  const property = (group: string) => pythonName(group.split('.').at(-1) ?? '');

  const classOf = (name: string, parent: string, doc: string, members: readonly string[], further = '') =>
    `class ${name}${parent && `(${parent})`}:
${doc && `    """${doc}"""\n\n`}    def __init__(self, transport: AsyncTransport, base: str) -> None:
${parent && '        super().__init__(transport, base)\n'}${members.map((group) => `        self.${property(group)} = ${typeName(group)}(transport, base)\n`).join('')}${further}`;
  const nested = groups
    .filter((group) => childrenOf(group).length > 0)
    .map((group) => classOf(typeName(group), base(group), '', childrenOf(group)));
  const inside = top.filter((group) => bound.has(group));
  const outside = top.filter((group) => !bound.has(group) && group !== 'projects');
  const plain = groups.filter((group) => !extended.includes(group)).map(className);
  const imports = extended.map(
    (group) => `from .${pythonName(group)} import Async${pascalCase(group)}Helpers\n`,
  );
  return `"""How the resources are reached."""

from __future__ import annotations

from .._core.request import path_of
${imports.toSorted().join('')}from .methods import (
${[...plain, className('service')]
  .toSorted()
  .map((name) => `    ${name},\n`)
  .join('')})
from .transport import AsyncTransport


${nested.join('\n\n')}

${classOf('AsyncProjectResources', '', 'What a project has.', inside)}

class AsyncProjects(AsyncProjectsMethods):
    """\`\`projects(id)\`\` has what the project has; \`\`projects.list()\`\` is about projects themselves."""

    def __call__(self, project_id: str) -> AsyncProjectResources:
        return AsyncProjectResources(self._transport, self._base + path_of("/projects/", project_id))


${classOf('AsyncPlatformResources', className('service'), 'What the platform has.', outside, '        self.projects = AsyncProjects(transport, base)\n')}`;
}
