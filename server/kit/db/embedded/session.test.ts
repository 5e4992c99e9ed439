import { expect, test } from 'vitest';
import { Gauges } from './messages.ts';
import { Session } from './session.ts';
import { queryFrame, statementIn } from './wire.ts';

const startup = Buffer.from([0, 0, 0, 8, 0, 3, 0, 0]);
const backend = (type: string, body: string) => {
  const bytes = Buffer.alloc(5 + body.length);
  bytes.write(`${type}\0\0\0\0${body}`, 'latin1');
  bytes.writeInt32BE(4 + body.length, 1);
  return bytes;
};

/** An engine that knows transactions and settings, and remembers what it was asked. */
function fakeEngine() {
  const asked: string[] = [];
  const sent: string[] = [];
  const givenUp: object[] = [];
  const gauges = new Gauges();
  let status = 'I';
  let limit = '15s';
  const engine = { asked, sent, givenUp, gauges, room: true, errors: new Map<string, string>() };
  const session = new Session({
    gauges,
    run: (frames, onAnswer) => {
      const statement = statementIn({ type: String.fromCharCode(frames[0] ?? 0), bytes: Buffer.from(frames) }) ?? '';
      asked.push(statement);
      if (statement === 'BEGIN') status = 'T';
      if (/ROLLBACK|COMMIT/.test(statement)) status = 'I';
      limit = /statement_timeout = (\w+)/.exec(statement)?.[1] ?? limit;
      if (/DISCARD|COMMIT/.test(statement)) limit = '15s';
      if (statement === 'SHOW statement_timeout') onAnswer(backend('D', `\0\x01\0\0\0\x03${limit}`));
      const error = engine.errors.get(statement);
      if (error) onAnswer(backend('E', `VERROR\0C${error}\0Mit failed\0\0`));
      if (error && status === 'T') status = 'E';
      onAnswer(backend('Z', status));
    },
    send: (_client, bytes) => sent.push(Buffer.from(bytes).toString('latin1')),
    giveUp: (reason, full, last) => givenUp.push({ reason, full, answered: last !== undefined }),
    hasRoom: () => engine.room,
  });
  const ask = (client: number, ...statements: string[]) => {
    for (const statement of statements) session.receive(client, queryFrame(statement));
  };
  const arrive = (client: number) => session.receive(client, startup);
  arrive(1);
  asked.length = 0;
  return Object.assign(engine, { ask, arrive });
}

test.each([
  'COPY leads FROM STDIN',
  'copy leads (id, name)\n from  stdin with csv',
  '/* load */ COPY leads FROM STDIN',
  'SELECT 1; COPY leads FROM STDIN',
])('%j never reaches the engine', (statement) => {
  const engine = fakeEngine();

  engine.ask(1, statement);

  expect(engine.asked).toEqual([expect.stringContaining("ERRCODE = '0A000'")]);
});

test.each(["INSERT INTO notes VALUES ('copy it from stdin')", 'COPY leads TO STDOUT'])('%j does', (statement) => {
  const engine = fakeEngine();

  engine.ask(1, statement);

  expect(engine.asked).toEqual([statement]);
});

test('a client that arrives while a transaction is open finds none of it', () => {
  const engine = fakeEngine();
  engine.ask(1, 'BEGIN');

  engine.arrive(2);
  engine.ask(1, 'COMMIT');

  expect(engine.asked.slice(0, 3)).toEqual(['BEGIN', 'ROLLBACK', 'DISCARD ALL']);
  expect(engine.asked).not.toContain('COMMIT');
});

test('the time limit follows statement_timeout, for as long as it is set', () => {
  const engine = fakeEngine();
  const limit = () => engine.gauges.get('limitMs');

  engine.ask(1, 'BEGIN', 'SET LOCAL statement_timeout = 60s');
  expect(limit()).toBe(60_000);

  engine.ask(1, 'COMMIT');
  expect(limit()).toBe(15_000);
});

test('without room new transactions only read, and a refused write says that the disk is full', () => {
  const engine = fakeEngine();
  engine.room = false;
  engine.errors.set('INSERT', '25006');

  engine.ask(1, 'INSERT');
  expect(engine.asked).toEqual(['SET default_transaction_read_only = on', 'INSERT']);
  expect(engine.sent.join()).toContain('C53100');
  expect(engine.givenUp).toEqual([]);

  engine.room = true;
  engine.ask(1, 'INSERT');
  expect(engine.asked.slice(2)).toEqual(['SET default_transaction_read_only = off', 'INSERT']);
});

test.each(['53100', '58030', 'XX001'])(
  'after %s the engine is given up, but not before the transaction is over',
  (code) => {
    const engine = fakeEngine();
    engine.errors.set('INSERT', code);

    engine.ask(1, 'BEGIN', 'INSERT');
    expect(engine.givenUp).toEqual([]);

    engine.ask(1, 'ROLLBACK');
    expect(engine.givenUp).toEqual([{ reason: 'it failed', full: code === '53100', answered: true }]);
  },
);
