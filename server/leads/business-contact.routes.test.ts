import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as calls from '#contract/leads/leads.calls.ts';
import { businesses, leads } from '#server/schema/leads.ts';
import { type TestApp, type TestUser, testApp } from '#server/testing/test-app.ts';

let t: TestApp;
let holder: TestUser;
beforeAll(async () => {
  t = await testApp();
  holder = await t.user('user');
});
afterAll(() => t.close());

describe('website and phone of a business', () => {
  const business = (lead: { businessId: number }) => ({ params: { businessId: lead.businessId } });

  test('are normalised, and marked as entered by a user', async () => {
    const lead = await t.lead(holder);
    expect(
      (await t.request(holder, calls.changeWebsite, { ...business(lead), body: { website: ' bluedoor.test/shop ' } }))
        .body.website,
    ).toBe('https://bluedoor.test/shop');
    expect(
      (
        await t.request(holder, calls.changePhone, {
          ...business(lead),
          body: { phone: ' +44 (0)113 496-0000 ext 5 ' },
        })
      ).body.phone,
    ).toBe('+44 (0)113 496-0000 ext 5');
    const [row] = await t.db.select().from(businesses).where(eq(businesses.id, lead.businessId));
    expect(row).toMatchObject({ websiteTyped: true, phoneTyped: true });
    const byPlace = { params: { placeId: lead.business.placeId }, body: { website: '' } };
    expect((await t.request(holder, calls.changeWebsiteByPlace, byPlace)).body.website).toBeNull();
  });

  test.each(['javascript:alert(1)', 'nodots', 'https://a:b@x.test'])('%j is not a valid website', async (website) => {
    const response = await t.request(holder, calls.changeWebsite, {
      ...business(await t.lead(holder)),
      body: { website },
    });
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_url' } });
  });

  test('letters are not a valid phone number', async () => {
    expect(
      (await t.request(holder, calls.changePhone, { ...business(await t.lead(holder)), body: { phone: 'call me' } }))
        .status,
    ).toBe(400);
  });

  test("the id is the business's: a lead with the same id gives no permission", async () => {
    const other = await t.user();
    const theirs = await t.lead(other);
    // A lead of the holder whose id is no business's id.
    const [mine] = await t.db
      .insert(leads)
      .values({
        id: theirs.businessId + 1_000_000_000,
        userId: holder.id,
        businessId: (await t.lead(other)).businessId,
      })
      .returning();
    expect(
      (await t.request(holder, calls.changePhone, { params: { businessId: theirs.businessId }, body: { phone: '1' } }))
        .status,
    ).toBe(403);
    expect(
      (await t.request(holder, calls.changePhone, { params: { businessId: mine?.id ?? 0 }, body: { phone: '1' } }))
        .status,
    ).toBe(404);
  });
});
