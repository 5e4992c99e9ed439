import { DEFAULT_MONTHLY_GOAL, type Role } from '#contract/users/user.ts';
import { audit } from '#server/audit/audit.ts';
import type { Passwords } from '#server/auth/passwords.ts';
import { type NewSession, type OpenedSession, openSession } from '#server/auth/sessions/open-session.ts';
import type { Db } from '#server/kit/db/db.ts';
import { classifyFault } from '#server/kit/db/faults.ts';
import { enqueueMail } from '#server/kit/mail/outbox.ts';
import { newSecret } from '#server/kit/secrets.ts';
import type { SsoEnv } from '#server/kit/sso-env.ts';
import { publishUsers } from '#server/live/publish.ts';
import { insertUser, lockAccounts, setRole } from '#server/users/users.sql.ts';
import { chooseRole } from './choose-role.ts';
import { listUsernames } from './choose-username.ts';
import type { SsoIdentity } from './identity.ts';
import * as store from './sso.sql.ts';
import { SsoError } from './sso-error.ts';

const NOTICE_TTL_MINUTES = 24 * 60;
const KIND = 'single sign-on';
const MAX_ATTEMPTS = 5;

interface Deps {
  db: Db;
  passwords: Passwords;
  sso: SsoEnv;
}

/** Opens a session for a user of the provider: of their account, or of one that is theirs from now on. */
export async function signInBySso(
  { db, passwords, sso }: Deps,
  identity: SsoIdentity,
  session: NewSession,
): Promise<OpenedSession> {
  // Before the transaction, because hashing is expensive.
  const isKnown = await store.isKnown(db, identity);
  const password = isKnown ? '' : await passwords.hash(newSecret().secret);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction(async (tx) => {
        const account = await findOrConnect({ tx, sso, ip: session.ip }, identity, password);
        await followRole({ tx, sso, ip: session.ip }, account, chooseRole(sso, identity.claims));
        // Last, and locked: an account that is deactivated meanwhile gets no session.
        if (!(await store.isActive(tx, account.id))) throw new SsoError('account_inactive', { userId: account.id });
        return openSession(tx, account.id, { ...session, sso: identity });
      });
    } catch (error) {
      // Another first sign-in of this user, or another user of this name, came first: now it is found.
      if (attempt >= MAX_ATTEMPTS || classifyFault(error).kind !== 'unique') throw error;
    }
  }
}

interface Step {
  tx: Db;
  sso: SsoEnv;
  ip: string;
}

interface Account {
  id: number;
  role: Role;
  username: string;
}

async function findOrConnect(step: Step, identity: SsoIdentity, password: string): Promise<Account> {
  const known = await store.findAccount(step.tx, identity);
  if (known) return known;
  const { email } = identity;
  if (!email) throw new SsoError('no_account', { reason: 'no verified e-mail' });
  const unconnected = await store.findUnconnected(step.tx, email, identity.issuer);
  if (unconnected) {
    await connect(step, identity, unconnected.id);
    await enqueueMail(step.tx, {
      ...{ kind: 'sso_connected', userId: unconnected.id, ttlMinutes: NOTICE_TTL_MINUTES },
      data: { name: step.sso.name },
    });
    return unconnected;
  }
  return createAccount(step, { ...identity, email }, password);
}

async function connect({ tx, ip }: Step, identity: SsoIdentity, userId: number) {
  await store.insertIdentity(tx, identity, userId);
  await audit(tx, { event: 'sso_connected', actorId: userId, subject: { type: 'user', id: userId }, ip });
}

/** For an invited person, or for any of an allowed domain where the operator wants that. */
async function createAccount(
  step: Step,
  identity: SsoIdentity & { email: string },
  password: string,
): Promise<Account> {
  const { tx, sso, ip } = step;
  const invited = await store.takeInvitationOf(tx, identity.email);
  const domain = identity.email.slice(identity.email.lastIndexOf('@') + 1).toLowerCase();
  if (!invited && !(sso.createUsers && sso.allowedDomains.includes(domain))) throw new SsoError('no_account');
  const username = await chooseUsername(step, identity);
  const created = await insertUser(tx, {
    username,
    email: identity.email,
    fullName: invited?.fullName ?? identity.fullName ?? username,
    role: chooseRole(sso, identity.claims) ?? invited?.role ?? 'user',
    monthlyGoal: invited?.monthlyGoal ?? DEFAULT_MONTHLY_GOAL,
    password,
    hasPassword: false,
  });
  const { id, role } = created;
  const details = { role, kind: KIND };
  await audit(tx, { event: 'user_created', actorId: id, subject: { type: 'user', id }, ip, details });
  await connect(step, identity, id);
  await publishUsers(tx);
  return created;
}

/** The name of the emergency administrator stays free: with it comes the right to a password. */
async function chooseUsername({ tx, sso }: Step, identity: SsoIdentity & { email: string }): Promise<string> {
  const names = listUsernames(identity);
  const taken = await store.listTaken(tx, names);
  if (sso.emergencyAdmin) taken.push(sso.emergencyAdmin.toLowerCase());
  const free = names.find((name) => !taken.includes(name.toLowerCase()));
  if (!free) throw new SsoError('failed', { reason: 'all usernames are taken' });
  return free;
}

/** Gives the account the role that the provider says, unless it is the last administrator's or the emergency administrator's. */
async function followRole({ tx, sso, ip }: Step, { id, role: known, username }: Account, role: Role | undefined) {
  if (!role || role === known || username.toLowerCase() === sso.emergencyAdmin?.toLowerCase()) return;
  const locked = await lockAccounts(tx, id);
  // Another sign-in, or an administrator, may have changed it since.
  const before = locked.find((account) => account.id === id)?.role;
  if (!before || before === role) return;
  const hasOtherAdmin = locked.some((other) => other.id !== id && other.active && other.role === 'admin');
  const isRefused = before === 'admin' && !hasOtherAdmin;
  await audit(tx, {
    ...{ event: 'user_changed', subject: { type: 'user', id }, ip, outcome: isRefused ? 'refused' : 'done' },
    details: { roleBefore: before, roleAfter: role, kind: KIND, ...(isRefused && { code: 'last_admin' }) },
  });
  if (isRefused) return;
  await setRole(tx, id, role);
  await enqueueMail(tx, {
    ...{ kind: 'role_changed', userId: id, ttlMinutes: NOTICE_TTL_MINUTES },
    data: { role, bySso: sso.name },
  });
  await publishUsers(tx);
}
