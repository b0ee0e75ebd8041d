/** Batches of JSON-RPC: the revision 2025-03-26 of the protocol has them, and no later revision. */

export const noBatches =
  'Batches are not answered, because the revision 2025-06-18 of the protocol has removed them. Send each message by itself.';
