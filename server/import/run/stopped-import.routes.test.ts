import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { notifications } from '#server/schema/notifications.ts';
import { users } from '#server/schema/users.ts';
import { findLeadsNamed, importFile, slowImport, unique } from '#server/testing/import.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
let admin: TestUser;
beforeAll(async () => {
  t = await testApp();
  admin = await t.user('admin');
});
afterAll(() => t.close());

test('a second import at the same time is refused, and a cancelled import can be completed', async () => {
  const importer = await t.user('admin');
  const name = unique('Held');
  const rows = Array.from({ length: 1_200 }, (_, nth) => `${name} ${nth}`);
  const count = async () => (await findLeadsNamed(t, name)).length;
  const upload = await slowImport(t, importer);
  upload.write(`Business Name\n${rows.slice(0, 600).join('\n')}\n`);
  await expect.poll(count, { timeout: 20_000 }).toBe(500);

  expect(await importFile(t, admin, 'Business Name\nNever stored\n')).toMatchObject({
    status: 409,
    body: { code: 'import_running' },
  });
  expect(await importFile(t, admin, 'Name\nx')).toMatchObject({ status: 422 });

  upload.cut();
  const findNotifications = () => t.db.select().from(notifications).where(eq(notifications.userId, importer.id));
  await expect.poll(findNotifications, { timeout: 20_000 }).toMatchObject([{ title: 'Import stopped' }]);
  const again = await importFile(t, importer, `Business Name\n${rows.join('\n')}`);
  expect(again.body).toMatchObject({ importResults: { total: 1_200, successful: 1_200 }, alreadyThere: 500 });
  expect(await count()).toBe(1_200);
});

test('an import stops when the importer loses the admin role', async () => {
  const importer = await t.user('admin');
  const name = unique('Demoted');
  const rows = Array.from({ length: 1_200 }, (_, nth) => `${name} ${nth}`);
  const upload = await slowImport(t, importer);
  upload.write(`Business Name\n${rows.slice(0, 600).join('\n')}\n`);
  await expect.poll(async () => (await findLeadsNamed(t, name)).length, { timeout: 20_000 }).toBe(500);
  await t.db.update(users).set({ role: 'user' }).where(eq(users.id, importer.id));
  upload.write(rows.slice(600).join('\n'));
  upload.end();
  expect(await upload.response).toMatchObject({
    status: 403,
    body: { code: 'forbidden', importResults: { successful: 500 } },
  });
});

test('a shutdown stops the import after the current batch and reports the progress', async () => {
  const stopping = await testApp();
  const importer = await stopping.user('admin');
  const name = unique('Stopped');
  const rows = Array.from({ length: 600 }, (_, nth) => `${name} ${nth}`);
  const upload = await slowImport(stopping, importer);
  upload.write(`Business Name\n${rows.join('\n')}\n`);
  await expect.poll(async () => (await findLeadsNamed(stopping, name)).length, { timeout: 20_000 }).toBe(500);

  const closed = stopping.close();
  const response = await upload.response;
  upload.cut();
  await closed;

  expect(response).toMatchObject({
    status: 503,
    body: { code: 'shutting_down', importResults: { total: 500, successful: 500 } },
  });
  expect((await findLeadsNamed(t, name)).length).toBe(500);
});
