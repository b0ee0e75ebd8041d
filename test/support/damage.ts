/** Damages files as lines, disks and programs do, the same way for the same seed. */

/** @returns numbers from 0 to 1 (mulberry32) */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Damage = (file: Buffer, below: (limit: number) => number) => Buffer;

const cut: Damage = (file, below) => file.subarray(0, below(file.length));

const flipped: Damage = (file, below) => {
  const copy = Buffer.from(file);
  for (let left = 1 + below(20); left > 0; left -= 1) {
    const at = below(copy.length);
    copy[at] = (copy[at] ?? 0) ^ (1 << below(8));
  }
  return copy;
};

const overwritten: Damage = (file, below) => {
  const copy = Buffer.from(file);
  const from = below(copy.length);
  return copy.fill(below(256), from, Math.min(from + 1 + below(64), copy.length));
};

const repeated: Damage = (file, below) => {
  const from = below(file.length);
  const part = file.subarray(from, from + 1 + below(200));
  const times = Array.from({ length: 1 + below(50) }, () => part);
  return Buffer.concat([file.subarray(0, from), ...times, file.subarray(from)]);
};

const leftOut: Damage = (file, below) => {
  const from = below(file.length);
  return Buffer.concat([file.subarray(0, from), file.subarray(from + 1 + below(200))]);
};

const moved: Damage = (file, below) => {
  const from = below(file.length);
  const to = from + 1 + below(200);
  return Buffer.concat([file.subarray(0, from), file.subarray(to), file.subarray(from, to)]);
};

const damages = { cut, flipped, overwritten, repeated, leftOut, moved };

/** @returns the file, damaged so many times in each way, each with its seed */
export function* damagedFiles(file: Uint8Array, times: number): Generator<{ name: string; bytes: Buffer }> {
  for (const [name, damage] of Object.entries(damages)) {
    for (let seed = 0; seed < times; seed += 1) {
      const random = randomOf(seed);
      const bytes = damage(Buffer.from(file), (limit) => Math.floor(random() * limit));
      yield { name: `${name} ${seed}`, bytes };
    }
  }
}
