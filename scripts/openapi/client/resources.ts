/** How the resources are reached: `platform.projects(id).conversations`. */

import { className, groupOf, isBound } from './methods.ts';
import { camelCase, type Operation, pascalCase } from './operations.ts';
import { comment } from './types.ts';

/** The resources with helpers, which are in a file of their own: a class that extends the generated class. */
const extended: Readonly<Record<string, string>> = {
  conversations: './helpers/conversations.ts',
  'evaluation-runs': './helpers/evaluation-runs.ts',
  exports: './helpers/exports.ts',
  jobs: './helpers/jobs.ts',
  knowledge: './helpers/knowledge.ts',
  'knowledge.sources': './helpers/knowledge.ts',
  replies: './helpers/replies.ts',
  webhooks: './helpers/webhooks.ts',
};

export function resources(operations: readonly Operation[]): string {
  const groups = [...new Set(operations.map(groupOf))].filter((group) => group !== '').sort();
  const bound = new Set(operations.filter(isBound).map(groupOf));
  const nested = (group: string) => groups.filter((one) => one.startsWith(`${group}.`));
  const top = groups.filter((group) => !group.includes('.'));

  /** The class that a property has. */
  const typeName = (group: string): string =>
    group in extended ? pascalCase(group) : nested(group).length > 0 ? pascalCase(group) : className(group);
  const property = (group: string) => {
    const name = camelCase(group.split('.').at(-1) ?? '');
    return `  readonly ${name}: ${typeName(group)};\n`;
  };
  const assignment = (group: string) => {
    const name = camelCase(group.split('.').at(-1) ?? '');
    return `    this.${name} = new ${typeName(group)}(...at);\n`;
  };
  const withChildren = groups
    .filter((group) => nested(group).length > 0)
    .map((group) => {
      const base = group in extended ? `${pascalCase(group)}Helpers` : className(group);
      return `export class ${typeName(group)} extends ${base} {
${nested(group).map(property).join('')}
  constructor(...at: At) {
    super(...at);
${nested(group).map(assignment).join('')}  }
}
`;
    });
  const inProject = top.filter((group) => bound.has(group));
  const outside = top.filter((group) => !bound.has(group) && group !== 'projects');
  const helpers = [...Map.groupBy(Object.entries(extended), ([, file]) => file)].map(([file, entries]) => {
    const names = entries.map(([group]) =>
      nested(group).length > 0 ? `${pascalCase(group)}Helpers` : pascalCase(group),
    );
    return `import { ${names.join(', ')} } from '${file}';\n`;
  });
  const plain = groups.filter((group) => !(group in extended)).map(className);
  return `import { type At, callable, type Transport } from './core/resource.ts';
${helpers.join('')}import { ${[...plain, className('service')].sort().join(', ')} } from './generated/methods.ts';

${withChildren.join('\n')}
${comment('What a project has.')}export class ProjectResources {
${inProject.map(property).join('')}
  constructor(...at: At) {
${inProject.map(assignment).join('')}  }
}

/** \`projects(id)\` has what the project has; \`projects.list()\` is about projects themselves. */
export type Projects = ProjectsMethods & ((projectId: string) => ProjectResources);

/** What the platform has. */
export class PlatformResources extends ServiceMethods {
${outside.map(property).join('')}  readonly projects: Projects;

  constructor(transport: Transport) {
    const at: At = [transport, ''];
    super(...at);
${outside.map(assignment).join('')}    this.projects = callable(new ProjectsMethods(...at), (base) => new ProjectResources(transport, base));
  }
}
`;
}
