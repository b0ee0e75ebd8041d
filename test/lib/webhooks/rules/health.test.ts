/** Which attempts may start, as time passes and attempts end. */

import { describe, expect, test } from 'vitest';
import { hourMs, minuteMs, secondMs } from '../../../../lib/base/time.ts';
import {
  admit,
  afterAttempt,
  type Health,
  showHealth,
  sinceEnabled,
  slowMs,
} from '../../../../lib/webhooks/rules/health.ts';

const start = Date.parse('2026-03-01T09:30:00.000Z');
const url = 'https://acme.example/hook';

/** A webhook with several attempts. */
function open() {
  let health: Health | undefined;
  let nowMs = start;
  return {
    health: () => health,
    advance: (ms: number) => {
      nowMs += ms;
    },
    begin(deliveryId: string, holds = 0) {
      const admission = admit(health, { deliveryId, holds, nowMs, fraction: 0 });
      if (admission.kind === 'leased') health = admission.health;
      return admission.kind === 'held' ? admission.pauseMs : admission.kind;
    },
    end(deliveryId: string, isSuccess: boolean, durationMs = 100) {
      const after = afterAttempt(health, { deliveryId, isSuccess, durationMs, nowMs });
      health = after ?? health;
      return after;
    },
  };
}

describe('a webhook', () => {
  test('that is new has two attempts at a time, and any number after a success', () => {
    const { begin, end } = open();
    expect([begin('a'), begin('b'), begin('c'), begin('c', 1)]).toEqual(['leased', 'leased', 2000, 4000]);
    end('a', true);
    expect(['c', 'd', 'e'].map((id) => begin(id))).toEqual(['free', 'free', 'free']);
  });

  test('that works and is fast needs nothing written', () => {
    const { begin, end } = open();
    begin('a');
    end('a', true);
    expect(begin('b')).toBe('free');
    expect(end('b', true)).toBeUndefined();
  });

  test('that fails has one attempt at a time, each time after a longer pause', () => {
    const { begin, end, advance } = open();
    begin('a');
    const pauses: unknown[] = [];
    for (let failures = 1; failures <= 8; failures += 1) {
      end('a', false);
      pauses.push(begin('b', 20));
      advance(2 * hourMs);
      expect(begin('a')).toBe('leased');
      expect(begin('b')).toBe(2 * secondMs);
    }
    expect(pauses).toEqual(Array.from({ length: 8 }, () => 2 * hourMs));
  });

  test('that fails is tried again after 5 seconds, then twice as many, at most 5 minutes', () => {
    const { begin, end, advance, health } = open();
    begin('a');
    const pauses = Array.from({ length: 8 }, () => {
      end('a', false);
      const pauseMs = Math.round((health()?.probeAtMs ?? 0) - start);
      const waited = begin('a') as number;
      advance(waited);
      expect(begin('a')).toBe('leased');
      return [pauseMs > 0, waited] as const;
    });
    expect(pauses.map(([, waited]) => waited / secondMs)).toEqual([5, 10, 20, 40, 80, 160, 300, 300]);
  });

  test('that works again has no restriction, whatever happened before', () => {
    const { begin, end, advance, health } = open();
    begin('a');
    end('a', false);
    expect(health()?.failingSince).toBe('2026-03-01T09:30:00.000Z');
    advance(minuteMs);
    begin('a');
    end('a', false);
    expect(health()).toMatchObject({ failures: 2, failingSince: '2026-03-01T09:30:00.000Z' });
    advance(minuteMs);
    begin('a');
    end('a', true);
    expect(health()).toMatchObject({ failures: 0, failingSince: null, leases: {} });
    expect(begin('b')).toBe('free');
  });

  test('that is slow has four attempts at a time, until it is fast again', () => {
    const { begin, end } = open();
    begin('a');
    end('a', true, slowMs + 1);
    expect(['b', 'c', 'd', 'e', 'f'].map((id) => begin(id))).toEqual([...Array(4).fill('leased'), 2000]);
    expect(begin('f', 10)).toBe(5 * minuteMs);
    end('b', true, slowMs);
    expect(begin('f')).toBe('free');
  });

  test('whose sender was killed gets its place back', () => {
    const { begin, advance } = open();
    expect([begin('a'), begin('b'), begin('c')]).toEqual(['leased', 'leased', 2000]);
    advance(30 * secondMs);
    expect(begin('c')).toBe('leased');
  });

  test('lets a delivery that has a lease go on', () => {
    const { begin } = open();
    expect([begin('a'), begin('b'), begin('a')]).toEqual(['leased', 'leased', 'leased']);
  });
});

describe('the shown health', () => {
  test('is unknown until an attempt has ended', () => {
    const { health, begin, end } = open();
    expect(showHealth(health(), url)).toEqual({
      status: 'unknown',
      failures: 0,
      failingSince: null,
      reason: null,
    });
    begin('a');
    expect(showHealth(health(), url).status).toBe('unknown');
    end('a', true);
    expect(showHealth(health(), url)).toEqual({
      status: 'healthy',
      failures: 0,
      failingSince: null,
      reason: null,
    });
  });

  test('says whether the last success was slow', () => {
    const { health, begin, end } = open();
    begin('a');
    end('a', true, slowMs + 1);
    expect(showHealth(health(), url).status).toBe('slow');
    begin('b');
    end('b', true, slowMs);
    expect(showHealth(health(), url).status).toBe('healthy');
  });

  test('counts the failures since the last success', () => {
    const { health, begin, end, advance } = open();
    begin('a');
    end('a', true, slowMs + 1);
    begin('b');
    end('b', false);
    const failingSince = '2026-03-01T09:30:00.000Z';
    expect(showHealth(health(), url)).toEqual({ status: 'failing', failures: 1, failingSince, reason: null });
    advance(hourMs);
    begin('b');
    end('b', false);
    expect(showHealth(health(), url)).toEqual({ status: 'failing', failures: 2, failingSince, reason: null });
    begin('b');
    end('b', true);
    expect(showHealth(health(), url)).toEqual({
      status: 'healthy',
      failures: 0,
      failingSince: null,
      reason: null,
    });
  });

  test('is unknown if nothing was stored since the webhook was enabled', () => {
    const stored = { at: '2026-03-01T09:30:00.000Z' };
    expect(sinceEnabled(stored, '2026-03-01T09:30:00.001Z')).toBeUndefined();
    expect(sinceEnabled(stored, stored.at)).toBe(stored);
  });
});
