import type { ErrorCode, ErrorDetail } from '../base/errors.ts';
import type { Failure } from './types.ts';

export const fail = <const Code extends ErrorCode>(
  error: Code,
  message?: string,
  details?: readonly ErrorDetail[],
): Failure<Code> => ({ error, message, details });
