/** The command `mcp` offers the API to an agent as tools, over standard input and output. */

import type { Command } from 'commander';
import { version } from '../../../clients/typescript/src/index.ts';
import type { Define } from '../command.ts';

export function addMcp(program: Command, define: Define): void {
  define<{ allowDestructive?: boolean }>(program, {
    name: 'mcp',
    summary: 'Offers the API to an agent as tools (MCP)',
    details:
      'An agent starts this command, and speaks the Model Context Protocol with it over standard input and output. The tools are ' +
      'those that your key allows. The command ends when its input ends.',
    options: [['--allow-destructive', 'also offers the tools that delete or end something']],
    examples: ['mcp', 'mcp --profile staging', 'mcp --allow-destructive'],
    async run({ shell, out, credentials, bearer, options }, { allowDestructive = false }) {
      // The server is as large as all other commands together, so only this command loads it.
      const { serve } = await import('../mcp/mcp.ts');
      await serve({
        shell,
        baseUrl: credentials.baseUrl,
        bearer,
        version,
        allowDestructive,
        onCall: (sentence) => options.verbose && out.note(sentence),
        onProblem: (sentence) => out.warn(sentence),
      });
    },
  });
}
