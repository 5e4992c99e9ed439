import type { Tally } from './tally.ts';

export interface Outcome extends Tally {
  name: string;
  title: string;
  seconds: number;
  /** Shown after the counts. */
  note: string;
}

/** The last line is for programs as well as people: `N passed, M failed`, and nothing else. */
export function formatSummary(outcomes: Outcome[]): { lines: string[]; failed: number } {
  const sum = (key: 'passed' | 'failed') => outcomes.reduce((total, outcome) => total + outcome[key], 0);
  const rows = outcomes.map(({ title, name, passed, failed, seconds, note }) =>
    [
      failed > 0 ? '✗' : passed > 0 ? '✓' : '–',
      `${title} (${name})`.padEnd(52),
      `${passed} passed, ${failed} failed`.padEnd(24),
      `${seconds.toFixed(1)} s`.padStart(8),
      note && `  ${note}`,
    ].join(' '),
  );
  const failed = sum('failed');
  const failures = outcomes.flatMap((outcome) => outcome.failures.map((failure) => `✗ ${outcome.name}: ${failure}`));
  const flaky = outcomes.flatMap((outcome) => (outcome.flaky ?? []).map((name) => `flaky: ${name}`));
  const named = [...failures, ...flaky];
  if (named.length) named.unshift('');
  return { lines: ['', ...rows, ...named, '', `${sum('passed')} passed, ${failed} failed`], failed };
}
