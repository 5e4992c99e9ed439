import { z } from 'zod';
import { call } from '../call.ts';
import { moment } from '../fields.ts';
import { BANK_HOLIDAY_REGIONS } from '../leads/follow-ups/bank-holidays.ts';

/** The screen that the path / shows. */
export const startScreen = z.enum(['today', 'leads', 'search']);
export type StartScreen = z.infer<typeof startScreen>;

const startAt = startScreen.nullable();

export const getSettings = call({
  method: 'GET',
  path: '/api/settings',
  access: 'user',
  withoutSecondFactor: true,
  summary: 'Settings of this installation for the web app.',
  response: z.strictObject({
    supportEmail: z.string(),
    timeZone: z.string(),
    /** Whose bank holidays the suggested times of follow-ups leave out. */
    bankHolidays: z.enum(BANK_HOLIDAY_REGIONS),
    /** The code of the team's currency, ISO 4217. */
    currency: z.string(),
    /** The URL template of map tiles, with {z}, {x} and {y}, or the URL of a .pmtiles file; empty for no tiles. */
    tileUrl: z.string(),
    tileAttribution: z.string(),
    /** When the viewer's account was created. */
    userSince: moment,
    /** Where the viewer starts; null for the start of their role. */
    startAt,
    /** Whether another person has set the viewer's password, and the team wants users to choose their own. */
    chooseOwnPassword: z.boolean(),
    /** From when on the viewer can do nothing without a second factor; null where they have one, or need none. */
    secondFactorDue: moment.nullable(),
    /** Whether that is over, by the server's clock. */
    secondFactorOverdue: z.boolean(),
    /** The viewer's own key, with which their browser encrypts unsaved drafts. */
    draftKey: z.string(),
  }),
});

export const changeStart = call({
  method: 'PUT',
  path: '/api/settings/start',
  access: 'user',
  summary: 'Changes the screen that the viewer starts with; null for the start of their role.',
  body: z.strictObject({ startAt }),
  response: z.strictObject({ startAt }),
});
