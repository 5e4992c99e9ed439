import pg from 'pg';
import { joinOrStartBuiltIn, openBuiltInAlone, startBuiltIn } from '#server/kit/db/built-in/built-in.ts';

// A process of its own for the fault tests: it can be killed, and run as another user. It reports in lines on standard
// output: "open" with the state of the tables, "kept ID" after each commit, "warned" with a warning, "closed".

const [, , task = '', dataDir = '', postgresBin] = process.argv;
const WRITERS = 8;
const report = (line: string) => process.stdout.write(`${line}\n`); // waits for a reader that is slow
const log = {
  info: () => {},
  warn: (...given: unknown[]) => report(`warned ${given.at(-1)}`),
  error: (...given: unknown[]) => console.error(given),
};

try {
  const open = { join: joinOrStartBuiltIn, alone: openBuiltInAlone }[task] ?? startBuiltIn;
  const server = await open({ dataDir, log: log as never, postgresBin });
  const pool = new pg.Pool({ connectionString: server.databaseUrl, max: WRITERS });
  pool.on('error', () => {});
  await pool.query('CREATE TABLE IF NOT EXISTS kept (id serial PRIMARY KEY, body text)');
  await pool.query('CREATE TABLE IF NOT EXISTS also_kept (id integer PRIMARY KEY)');
  const { rows } = await pool.query('SELECT id FROM kept JOIN also_kept USING (id) ORDER BY id');
  report(`open ${JSON.stringify(rows.map(({ id }) => id))}`);
  if (task === 'join' || task === 'alone') await end();
  if (task === 'write') for (let nth = 0; nth < WRITERS; nth += 1) void write(pool);
  process.stdin.resume().once('end', end);

  async function end() {
    await pool.end();
    await server.close();
    report('closed');
    process.exit(0);
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}

async function write(pool: pg.Pool) {
  for (;;) {
    try {
      const { rows } = await pool.query(
        `WITH row AS (INSERT INTO kept (body) VALUES (repeat('x', 500)) RETURNING id)
         INSERT INTO also_kept SELECT id FROM row RETURNING id`,
      );
      report(`kept ${rows[0].id}`);
    } catch {
      await new Promise((retry) => setTimeout(retry, 20)); // the server is away
    }
  }
}
