import { Readable } from 'node:stream';
import { concerns } from '#contract/contact-rules/objection.ts';
import * as calls from '#contract/contact-rules/objections.calls.ts';
import { BYTE_ORDER_MARK } from '#contract/csv.ts';
import { Refusal } from '#contract/errors.ts';
import type { Viewer } from '#contract/users/user.ts';
import { audit } from '#server/audit/audit.ts';
import type { App, Deps } from '#server/deps.ts';
import { readCsv } from '#server/kit/csv/read-csv.ts';
import { clientIpKey } from '#server/kit/http/client/client-ip.ts';
import { mount, readRequest, serve } from '#server/kit/http/serve.ts';
import { readUpload } from '#server/kit/http/upload.ts';
import { loadObjectionKey } from './objection-facts.sql.ts';
import { OBJECTION_FILE_HEADER, readObjectionFile, toLines } from './objection-file.ts';
import {
  findObjection,
  liftObjection,
  listObjectionPage,
  type ObjectionRow,
  objectionsToExport,
} from './objections.sql.ts';
import { publishLeadsOfAll } from './publish-leads-of-all.ts';
import { recordObjections, toTypedSubject } from './record-objections.ts';

/** The list of who does not want to be contacted, for administrators. */
export function objectionRoutes(app: App, { db, guard, clock }: Pick<Deps, 'db' | 'guard' | 'clock'>) {
  serve(app, guard, calls.listObjections, ({ query }) => listObjectionPage(db, query));

  serve(app, guard, calls.addObjection, ({ viewer, body, ip }) =>
    db.transaction(async (tx) => {
      const { on, value, channel, since, words } = body();
      const now = clock();
      const subject = toTypedSubject(await loadObjectionKey(tx), on, value);
      if (!subject) throw invalid('value', `Please enter ${on === 'email' ? 'an e-mail address' : 'a phone number'}`);
      if (!concerns(channel, on))
        throw invalid('channel', 'This does not go with a number or an e-mail address like it');
      const from = since ? new Date(since) : now;
      if (from > now) throw invalid('since', 'Please choose a day that is past');
      const objection = { channel, subjects: [subject], since: from.toISOString(), words };
      const [id] = await recordObjections(tx, [objection], { source: 'list', viewerId: viewer.id, now });
      if (!id) throw new Refusal('duplicate_name', 'This objection is in the list already');
      const details = { kind: channel, objectionId: id };
      await audit(tx, { event: 'objection_recorded', actorId: viewer.id, ip, details });
      await publishLeadsOfAll(tx);
      return requireObjection(await findObjection(tx, id));
    }),
  );

  serve(app, guard, calls.liftObjection, ({ viewer, params: { objectionId }, body, ip }) =>
    db.transaction(async (tx) => {
      const { channel } = requireObjection(await findObjection(tx, objectionId));
      const { reason } = body();
      const lifted = await liftObjection(tx, objectionId, { reason, viewerId: viewer.id, now: clock() });
      if (lifted) {
        const details = { kind: channel, objectionId };
        await audit(tx, { event: 'objection_lifted', actorId: viewer.id, ip, details });
        await publishLeadsOfAll(tx);
      }
      return requireObjection(await findObjection(tx, objectionId));
    }),
  );

  mount(app, guard, calls.exportObjections, async (request, reply) => {
    const viewer = request.viewer as Viewer; // the call's access requires one
    const { query, ip } = readRequest(calls.exportObjections, request);
    const batches = objectionsToExport(db, query);
    // The first batch is read before the response starts, so that an error can still set the status.
    const first = await batches.next();
    await audit(db, { event: 'objections_exported', actorId: viewer.id, ip });
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="objections.csv"')
      .send(Readable.from(toCsv(first, batches), { highWaterMark: 1 }));
  });

  mount(app, guard, calls.importObjections, async (request) => {
    const viewer = request.viewer as Viewer; // the call's access requires one
    const upload = await readUpload(request, calls.importObjections.upload ?? '', calls.MAX_OBJECTION_FILE_BYTES);
    try {
      const now = clock();
      const found = await readObjectionFile(readCsv(upload.bytes), await loadObjectionKey(db), now);
      return await db.transaction(async (tx) => {
        const recorded = await recordObjections(tx, found, { source: 'file', viewerId: viewer.id, now });
        const details = { count: found.length, created: recorded.length };
        const ip = clientIpKey(request.ip);
        await audit(tx, { event: 'objections_imported', actorId: viewer.id, ip, details });
        await publishLeadsOfAll(tx);
        return { recorded: recorded.length, repeated: found.length - recorded.length };
      });
    } finally {
      upload.abort();
    }
  });
}

const invalid = (path: string, message: string) =>
  new Refusal('validation_failed', message, { errors: [{ path, message }] });

function requireObjection<T>(objection: T | undefined): T {
  if (!objection) throw new Refusal('not_found', 'This objection no longer exists');
  return objection;
}

async function* toCsv(
  first: IteratorResult<ObjectionRow[]>,
  rest: AsyncGenerator<ObjectionRow[]>,
): AsyncGenerator<string> {
  yield `${BYTE_ORDER_MARK}${OBJECTION_FILE_HEADER}`;
  for (let next = first; !next.done; next = await rest.next()) yield next.value.map(toLines).join('');
}
