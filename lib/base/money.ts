/** What models cost, in whole millionths of a US dollar. Pure. */

export type TokenPrices = { inputUsdPerMillionTokens: number; outputUsdPerMillionTokens: number };

/** @returns millionths of a USD, rounded up */
export function costOf(tokens: { inputTokens: number; outputTokens: number }, prices: TokenPrices): number {
  const exact =
    tokens.inputTokens * prices.inputUsdPerMillionTokens +
    tokens.outputTokens * prices.outputUsdPerMillionTokens;
  // 3 tokens for 0.1 are 0.30000000000000004.
  return Math.ceil(Number(exact.toPrecision(12)));
}

const microPerUsd = 1_000_000;

export const usdOf = (microUsd: number): number => microUsd / microPerUsd;

/** @returns millionths of a USD, rounded down: for limits */
export const microUsdOf = (usd: number): number => Math.floor(Number((usd * microPerUsd).toPrecision(12)));
