import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { getUser, login } from '#contract/auth/auth.calls.ts';
import { importBusinesses } from '#contract/import/import.calls.ts';
import { listLeads } from '#contract/leads/lead-lists.calls.ts';
import { changeLeadStatus } from '#contract/leads/leads.calls.ts';
import { getMonthlyContacts } from '#contract/progress/progress.calls.ts';
import { type Asker, createAsker } from './asker.ts';
import { firstAdmin, newPerson, PASSWORD, type Person, signIn } from './people.ts';
import { startProduct } from './product.ts';
import { type Proof, withCleanUp } from './proof.ts';

export const clockJump: Proof = {
  says: "The machine's clock jumps 13 hours ahead and three days back: sessions, locks and credits keep to their rules.",
  run: (_args, checks) =>
    withCleanUp(async (later) => {
      const folder = mkdtempSync(join(tmpdir(), 'highstreet-clock-'));
      later(() => rmSync(folder, { recursive: true, force: true }));
      const clockFile = join(folder, 'clock');
      const jumpTo = async (offset: string) => {
        writeFileSync(clockFile, `${offset}\n`);
        await wait(3_000); // the library reads the file every second or so
      };
      writeFileSync(clockFile, '+0\n');
      const product = await startProduct({
        env: {
          TIME_ZONE: 'UTC',
          LD_PRELOAD: findLibrary(),
          FAKETIME_TIMESTAMP_FILE: clockFile,
          FAKETIME_CACHE_DURATION: '1',
          // Timers go by the other clock, which does not jump.
          FAKETIME_DONT_FAKE_MONOTONIC: '1',
        },
      });
      later(product.stop);
      const asker = createAsker(product.url);
      later(asker.close);
      const admin = await firstAdmin(asker);
      const person = await newPerson(asker, admin, 'holder');
      await newPerson(asker, admin, 'locked');
      await asker.importCsv(importBusinesses.path, 'Business Name,User\nOne,holder\nTwo,holder\nThree,holder\n', admin);
      const { body } = await asker.ask(listLeads, {}, person);
      const [one = 0, two = 0, three = 0] = body.items.map(({ userBusiness }) => userBusiness.id);
      const contact = (who: { cookie: string }, id: number) =>
        asker.ask(changeLeadStatus.byId, { params: { id }, body: { status: 'in_progress' } }, who);
      const counted = async (who: { cookie: string }) => (await asker.ask(getMonthlyContacts, {}, who)).body.count;

      await contact(person, one);
      for (let tries = 0; tries < 5; tries += 1) await tryToSignIn(asker, 'locked', 'wrong');
      const locked = await tryToSignIn(asker, 'locked', PASSWORD);
      checks.holds(
        'before: one contact counts, and an account is locked',
        (await counted(person)) === 1 && locked === 429,
      );

      await jumpTo('+13h');
      const idle = (await asker.ask(getUser, {}, person)).status;
      checks.holds('13 hours ahead: a session idle for more than twelve has ended', idle === 401, `${idle}`);
      const unlocked = await tryToSignIn(asker, 'locked', PASSWORD);
      checks.holds('13 hours ahead: the lock of 15 minutes is over', unlocked === 200, `${unlocked}`);
      const ahead = { cookie: await signIn(asker, 'holder') };
      checks.holds('13 hours ahead: changes are taken', (await contact(ahead, two)).status === 200);

      await jumpTo('-3d');
      const stays = (await asker.ask(getUser, {}, ahead)).status;
      checks.holds('three days back: a session of the future is still good', stays === 200, `${stays}`);
      const again = await contact(ahead, one);
      const fresh = await contact(ahead, three);
      checks.holds('three days back: changes are taken', again.status === 200 && fresh.status === 200);
      const signedIn = await tryToSignIn(asker, 'locked', PASSWORD);
      checks.holds('three days back: people sign in', signedIn === 200, `${signedIn}`);

      await jumpTo('+0');
      const now = { cookie: await signIn(asker, 'holder') };
      const total = await counted(now);
      const due = contactsThisMonth();
      checks.holds('back again: each contact counts once, in the month that the clock said', total === due, `${total}`);
      const ready = (await asker.send('GET', '/readyz')).status;
      checks.holds(
        'the process lived through it without an error',
        ready === 200 && !product.complaints.length,
        product.complaints.slice(0, 2).join('\n'),
      );
    }),
};

const tryToSignIn = async (asker: Asker, username: Person['username'], password: string) =>
  (await asker.ask(login, { body: { username, password } })).status;

/** Of the three contacts, at their three moments, those that fall into the month of today. */
function contactsThisMonth(): number {
  const monthAt = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 7);
  return [0, 13, -72].filter((hours) => monthAt(hours) === monthAt(0)).length;
}

function findLibrary(): string {
  const folders = existsSync('/usr/lib') ? readdirSync('/usr/lib').map((name) => `/usr/lib/${name}/faketime`) : [];
  const found = folders.map((folder) => `${folder}/libfaketimeMT.so.1`).find(existsSync);
  if (!found) throw new Error('libfaketime is needed (Debian: apt-get install libfaketime)');
  return found;
}
