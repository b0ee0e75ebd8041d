/** The revision 2025-03-26 of the protocol has batches of JSON-RPC, and no later revision has them. */

export const noBatches =
  'Batches are not answered, because the revision 2025-06-18 of the protocol has removed them. Send each message by itself.';
