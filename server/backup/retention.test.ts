import { expect, test } from 'vitest';
import { type BackupFile, formatBackupName, parseBackupName } from './backup-folder.ts';
import { chooseExpired } from './retention.ts';

const LONDON = 'Europe/London';
const file = (kind: BackupFile['kind'], at: string, schema?: number): BackupFile => {
  const described = { kind, at: new Date(at), schema };
  return { name: formatBackupName(described), ...described };
};
/** At 02:30, so many days before Wednesday, July 29th 2026. */
const night = (daysAgo: number) => file('nightly', new Date(Date.UTC(2026, 6, 29 - daysAgo, 1, 30)).toISOString());
const nights = (count: number) => Array.from({ length: count }, (_, daysAgo) => night(daysAgo));
const dayOf = ({ at }: BackupFile) => at.toISOString().slice(0, 10);

/** As if it had run every night. */
function keepEveryNight(count: number): BackupFile[] {
  let kept: BackupFile[] = [];
  for (const next of nights(count).toReversed()) {
    const all = [...kept, next];
    const expired = chooseExpired(all, LONDON);
    kept = all.filter((other) => !expired.includes(other));
  }
  return kept.toReversed();
}

test('of nightly backups, those of 7 days stay, and of the 4 weeks before them the last one each', () => {
  expect(keepEveryNight(100).map(dayOf)).toEqual([
    ...['2026-07-29', '2026-07-28', '2026-07-27', '2026-07-26', '2026-07-25', '2026-07-24', '2026-07-23'],
    // Of the week that the seven days began in, the day before them; then Sundays.
    ...['2026-07-22', '2026-07-19', '2026-07-12', '2026-07-05'],
  ]);
});

test.each([
  ['nothing', [], []],
  ['a week', nights(7), []],
  ['the second of a day', [night(0), file('nightly', '2026-07-29T22:00:00Z')], [dayOf(night(0))]],
  // 00:30 in London.
  ['two days by the clock of the team', [night(0), file('nightly', '2026-07-29T23:30:00Z')], []],
  ['days without a backup, which do not count', [night(0), ...nights(40).slice(30)], ['2026-06-22', '2026-06-20']],
])('of %s it deletes the right ones', (_, files, expired) => {
  expect(chooseExpired(files, LONDON).map(dayOf)).toEqual(expired);
});

test('backups before a migration stay for three schemas, the newest of each', () => {
  const files = [
    file('upgrade', '2026-01-01T10:00:00Z', 1),
    file('upgrade', '2026-02-01T10:00:00Z', 2),
    file('upgrade', '2026-03-01T10:00:00Z', 3),
    file('upgrade', '2026-04-01T10:00:00Z', 4),
    file('upgrade', '2026-04-01T10:05:00Z', 4),
  ];
  expect(chooseExpired(files, LONDON).map(dayOf)).toEqual(['2026-04-01', '2026-01-01']);
  expect(chooseExpired(files, LONDON)[0]?.at.toISOString()).toBe('2026-04-01T10:00:00.000Z');
});

test('five that somebody asked for stay; one kind does not count for another', () => {
  const manual = [1, 2, 3, 4, 5, 6, 7].map((day) => file('manual', `2026-07-0${day}T10:00:00Z`));
  expect(chooseExpired([...manual, ...nights(7)], LONDON).map(dayOf)).toEqual(['2026-07-02', '2026-07-01']);
});

test('a name tells kind, time and schema; files with other names are not ours', () => {
  const files = [night(0), file('manual', '2026-07-29T12:00:00Z'), file('upgrade', '2026-07-29T12:00:00Z', 31)];
  expect(files.map(({ name }) => name)).toEqual([
    'highstreet-20260729T013000Z-nightly.backup',
    'highstreet-20260729T120000Z-manual.backup',
    'highstreet-20260729T120000Z-upgrade-from-31.backup',
  ]);
  expect(files.map(({ name }) => parseBackupName(name))).toEqual(files);
  const others = ['team.backup', `${files[0]?.name}.unfinished-7`, 'highstreet-20260729T013000Z-weekly.backup', 'x'];
  expect(others.map(parseBackupName)).toEqual([undefined, undefined, undefined, undefined]);
});
