import { Refusal } from '#contract/errors.ts';
import { MAX_TOKENS, type NewToken } from '#contract/tokens/token.ts';
import * as calls from '#contract/tokens/tokens.calls.ts';
import type { Viewer } from '#contract/users/user.ts';
import { toScreen } from '#contract/views/view.ts';
import { audit, byViewer } from '#server/audit/audit.ts';
import type { App, Deps } from '#server/deps.ts';
import type { Db } from '#server/kit/db/db.ts';
import { classifyFault } from '#server/kit/db/faults.ts';
import { serve } from '#server/kit/http/serve.ts';
import { enqueueMail } from '#server/kit/mail/outbox.ts';
import type { AccountAccess } from '#server/users/account-access.ts';
import { requireCurrentRole } from '#server/users/account-rules.ts';
import { listVisibleViews } from '#server/views/views.sql.ts';
import { newTokenSecret } from './token-secret.ts';
import * as sql from './tokens.sql.ts';

const NOTICE_TTL_MINUTES = 24 * 60;

/** The tokens for programs: users look after their own, and administrators see and end all. */
export function tokenRoutes(app: App, { db, guard, outbox, access }: Deps & { access: AccountAccess }) {
  serve(app, guard, calls.listTokens, ({ viewer }) => sql.listTokens(db, viewer.id));

  serve(app, guard, calls.createToken, async ({ viewer, body, ip, request }) => {
    const created = await refuseDuplicateName(() =>
      db.transaction(async (tx) => {
        await requireCurrentRole(tx, viewer);
        // The body may come long after the guard's check: what ends all sessions and tokens must not miss this one.
        await access.requireSession(tx, request);
        const { secret, hash, lastFour } = newTokenSecret();
        const given = body();
        await requireGrantable(tx, viewer, given);
        await sql.deleteExpiredTokens(tx, viewer.id);
        if ((await sql.countTokens(tx, viewer.id)) >= MAX_TOKENS) throw tooMany();
        const id = await sql.insertToken(tx, { ...given, userId: viewer.id, hash, lastFour });
        await record(tx, 'token_created', { viewer, ip, token: { ...given, lastFour, userId: viewer.id } });
        const data = { name: given.name };
        await enqueueMail(tx, { kind: 'token_created', userId: viewer.id, data, ttlMinutes: NOTICE_TTL_MINUTES });
        const token = (await sql.listTokens(tx, viewer.id)).find((each) => each.id === id);
        if (!token) throw new Error('The token was not created');
        return { secret, token };
      }),
    );
    void outbox.wake();
    return created;
  });

  serve(app, guard, calls.endToken, ({ viewer, params, body, ip }) =>
    db.transaction(async (tx) => {
      const token = await sql.deleteToken(tx, { id: params.tokenId, userId: viewer.id });
      if (!token) throw noToken();
      body();
      await record(tx, 'token_ended', { viewer, ip, token });
      return sql.listTokens(tx, viewer.id);
    }),
  );

  serve(app, guard, calls.listTeamTokens, () => sql.listTeamTokens(db));

  serve(app, guard, calls.endTeamToken, ({ viewer, params, body, ip }) =>
    db.transaction(async (tx) => {
      await requireCurrentRole(tx, viewer);
      const token = await sql.deleteToken(tx, { id: params.tokenId });
      if (!token) throw noToken();
      body();
      await record(tx, 'token_ended', { viewer, ip, token });
      return sql.listTeamTokens(tx);
    }),
  );
}

/** A token may do no more than its user, and keeps to a view that its user sees. */
async function requireGrantable(tx: Db, viewer: Viewer, { rights, viewId }: NewToken) {
  if (rights === 'admin' && viewer.role !== 'admin') {
    throw new Refusal('forbidden', 'Only administrators can let a program administer');
  }
  if (viewId === null) return;
  const view = (await listVisibleViews(tx, viewer)).find(({ id }) => id === viewId);
  if (!view || toScreen(view.settings) !== 'leads') {
    const message = 'Please choose one of your saved views of the list';
    throw new Refusal('validation_failed', message, { errors: [{ path: 'viewId', message }] });
  }
}

interface Recorded {
  viewer: Viewer;
  ip: string;
  token: { userId: number; rights: NewToken['rights']; lastFour: string };
}

const record = (tx: Db, event: 'token_created' | 'token_ended', { viewer, ip, token }: Recorded) =>
  audit(tx, {
    ...byViewer(viewer),
    event,
    subject: { type: 'user', id: token.userId },
    ip,
    details: { kind: token.rights, target: `…${token.lastFour}` },
  });

const noToken = () => new Refusal('not_found', 'This token has ended already');
const tooMany = () => new Refusal('too_many_tokens', `You can have ${MAX_TOKENS} tokens. End one to make another.`);

async function refuseDuplicateName<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const fault = classifyFault(error);
    if (fault.kind !== 'unique' || fault.constraint !== 'api_tokens_name_key') throw error;
    const message = 'You already have a token with this name';
    throw new Refusal('duplicate_name', message, { errors: [{ path: 'name', message }] });
  }
}
