/**
 * Programs that match texts with regular expressions in other languages. Each reads lines of a pattern, a tab and a text, and
 * prints a line for each: whether the pattern is found in the text. A pattern that it cannot compile ends it with an error.
 */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const python = `
import re, sys
for line in sys.stdin.buffer.read().decode().split("\\n"):
    pattern, text = line.split("\\t")
    print("true" if re.search(pattern, text) else "false")
`;

const java = `
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

class Matches {
  public static void main(String[] args) throws Exception {
    String sent = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
    for (String line : sent.split("\\n")) {
      String[] parts = line.split("\\t", -1);
      System.out.println(Pattern.compile(parts[0]).matcher(parts[1]).find());
    }
  }
}
`;

const go = `
package main

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
)

func main() {
	sent, _ := io.ReadAll(os.Stdin)
	for _, line := range strings.Split(string(sent), "\\n") {
		parts := strings.Split(line, "\\t")
		fmt.Println(regexp.MustCompile(parts[0]).MatchString(parts[1]))
	}
}
`;

type Language = { file: string; program: string; commands: readonly (readonly string[])[]; version: string };

/** The first command that is there runs the program. */
export const languages = {
  Python: { file: 'matches.py', program: python, commands: [['python3']], version: '--version' },
  Java: { file: 'Matches.java', program: java, commands: [['java']], version: '-version' },
  Go: {
    file: 'matches.go',
    program: go,
    commands: [
      ['go', 'run'],
      ['/usr/local/go/bin/go', 'run'],
    ],
    version: 'version',
  },
} as const satisfies Record<string, Language>;

/** @returns the command of the language; undefined if it is not installed */
export const commandFor = ({ commands, version }: Language): readonly string[] | undefined =>
  commands.find(([command = '']) => spawnSync(command, [version]).status === 0);

/**
 * @param pairs of a pattern and a text, without tabs and line feeds
 * @returns whether each pattern is found in its text
 * @throws Error if the language does not compile a pattern
 */
export function matchesIn(
  { file, program }: Language,
  [command = '', ...options]: readonly string[],
  pairs: readonly (readonly [string, string])[],
): boolean[] {
  const folder = mkdtempSync(join(tmpdir(), 'patterns-'));
  try {
    const path = join(folder, file);
    writeFileSync(path, program);
    const { status, stdout, stderr } = spawnSync(command, [...options, path], {
      input: pairs.map((pair) => pair.join('\t')).join('\n'),
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
    return stdout
      .trim()
      .split(/\r?\n/)
      .map((line) => line === 'true');
  } finally {
    rmSync(folder, { recursive: true });
  }
}
