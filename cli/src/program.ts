/** All commands. */

import { Command } from 'commander';
import { version } from '../../clients/typescript/src/index.ts';
import { defineIn } from './command.ts';
import { addApi } from './commands/api.ts';
import { addAudit } from './commands/audit.ts';
import { addAvatars } from './commands/avatars.ts';
import { addBulkExport } from './commands/bulk-export.ts';
import { addChat } from './commands/chat.ts';
import { addCompletion } from './commands/completion.ts';
import { addConversations } from './commands/conversations.ts';
import { addDeploy } from './commands/deploy.ts';
import { addDeployments, addEnvironments } from './commands/deployments.ts';
import { addDocuments } from './commands/documents.ts';
import { addEvaluate } from './commands/evaluate.ts';
import { addEvents } from './commands/events.ts';
import { addExport } from './commands/export.ts';
import { addImport } from './commands/import.ts';
import { addJobs, addReindex } from './commands/jobs.ts';
import { addKeys } from './commands/keys.ts';
import { addKnowledge } from './commands/knowledge.ts';
import { addLogin, addProfiles } from './commands/login.ts';
import { addMcp } from './commands/mcp.ts';
import { addMessages } from './commands/messages.ts';
import { addProjects } from './commands/projects.ts';
import { addRollout } from './commands/rollout.ts';
import { addScores } from './commands/scores.ts';
import { addUsage } from './commands/usage.ts';
import { addWebhooks } from './commands/webhooks.ts';
import { addDerived } from './derived/commands.ts';
import { markRequired } from './derived/options.ts';
import { hasColours, paintFor } from './output/text.ts';
import type { Shell } from './shell.ts';

const start = `
Start:
  $ platform login --base-url https://api.example.com/api/v1
  $ platform projects list
  $ platform projects use ID
  $ platform knowledge sync handbook --source handbook

Environment variables:
  PLATFORM_API_KEY, PLATFORM_BASE_URL   are used together, in place of the current profile
  PLATFORM_AUDIENCE                     the workload identity, in place of the key: \`platform login --help\`
  PLATFORM_ID_TOKEN_FILE                the file that has its token
  PLATFORM_ID_TOKEN                     its token
  PLATFORM_PROJECT                      the project, unless --project is given
  NO_COLOR                              no colours

\`platform COMMAND --help\` shows the options of a command, with examples.`;

export function createProgram(shell: Shell): Command {
  const program = new Command('platform')
    .description('The command line of the Platform API.')
    .version(version, '-V, --version', 'shows the version')
    .helpOption('-h, --help', 'shows this help')
    .helpCommand('help [command]', 'shows the help of a command')
    .addHelpText('after', start)
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => shell.stdout.write(text),
      // run.ts prints all errors in one form.
      writeErr: () => {},
      getOutHelpWidth: () => shell.stdout.columns ?? 100,
      getOutHasColors: () => hasColours(shell, shell.stdout),
    })
    .configureHelp({
      styleTitle: (text) => paintFor(shell, shell.stdout)('bold', text),
      sortSubcommands: false,
      showGlobalOptions: false,
    });
  const define = defineIn(shell);

  program.commandsGroup('Your key:');
  addLogin(program, define);
  addProfiles(program, define);
  addKeys(program, define);
  addEvents(program, define);
  addWebhooks(program, define);
  addAudit(program, define);
  addUsage(program, define);
  program.commandsGroup('Every day:');
  addKnowledge(program, define);
  addReindex(program, define, '');
  addDeploy(program, define);
  addRollout(program, define);
  addChat(program, define);
  addEvaluate(program, define);
  addBulkExport(program, define);
  program.commandsGroup('Resources:');
  addProjects(program, define);
  addAvatars(program, define);
  addDocuments(program, define);
  addJobs(program, define);
  addDeployments(program, define);
  addEnvironments(program, define);
  const conversations = addConversations(program, define);
  addMessages(conversations, define);
  addExport(conversations, define);
  addImport(conversations, define);
  addScores(program, define);
  program.commandsGroup('Everything else:');
  addApi(program, define);
  addMcp(program, define);
  addCompletion(program, define);
  addDerived(program, define);
  markRequired(program);
  return program;
}
