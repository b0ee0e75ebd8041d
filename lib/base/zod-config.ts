/** These settings hold for every schema, in endpoints and in workers. The file is imported for its effect. */

import * as z from 'zod';
import { validationMessage } from './validation-messages.ts';

// Compiled validators are faster only after millions of calls. Cold starts are much more frequent.
z.config({ jitless: true, customError: validationMessage });
