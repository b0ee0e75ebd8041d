/** The settings of zod for every schema, with the messages for callers. The file is imported for its effect. */

import * as z from 'zod';
import { validationMessage } from './validation-message.ts';

// Compiled validators are faster only after millions of calls. Cold starts are much more frequent.
z.config({ jitless: true, customError: validationMessage });
