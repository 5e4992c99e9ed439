import { writeSync } from 'node:fs';
import { openDatabase } from '#server/kit/db/open.ts';

// A process of its own for the fault tests: it can be killed. It tells what it does in lines on standard output.

const [, , task = '', dataDir = '', templateDir] = process.argv;
const say = (line: string) => writeSync(1, `${line}\n`);
const silent = () => {};

try {
  const rooms = { refuseBelowFreeBytes: 0, warnBelowFreeBytes: 0, reserveBytes: 0, keepFreeBytes: 0 };
  const database = await openDatabase({
    dataDir,
    templateDir,
    log: { info: silent, warn: silent, error: silent },
    ...rooms,
  });
  const { pool } = database;
  await pool.query('CREATE TABLE IF NOT EXISTS kept (id integer PRIMARY KEY, body text)');
  await pool.query('CREATE TABLE IF NOT EXISTS also_kept (id integer PRIMARY KEY)');
  const { rows } = await pool.query(
    `SELECT count(kept.id)::int AS kept, coalesce(max(kept.id), 0) AS last, count(also_kept.id)::int AS also_kept
     FROM kept FULL JOIN also_kept USING (id)`,
  );
  say(`open ${JSON.stringify(rows[0])}`);
  if (task === 'write') {
    for (let id = rows[0].last + 1; ; id += 1) {
      await pool.query(
        'WITH row AS (INSERT INTO kept VALUES ($1, repeat($2, 50)) RETURNING id) INSERT INTO also_kept SELECT id FROM row',
        [id, `row ${id} `],
      );
      say(`kept ${id}`);
    }
  }
  process.stdin.resume().once('end', async () => {
    await database.close();
    say('closed');
  });
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
