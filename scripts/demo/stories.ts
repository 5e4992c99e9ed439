import type { ActivityType, LeadStatus } from '#contract/leads/lead.ts';
import type { ActivityOutcome } from '#contract/leads/log/outcomes.ts';

/** One contact: what was done, what was written down, and what came of a call. */
export type Step = readonly [type: ActivityType, description: string, outcome?: ActivityOutcome];

const MESSAGE: Step = ['call', 'Left a message with the assistant.', 'left_message'];
const NO_ANSWER: Step = ['call', '', 'no_answer'];
const SPOKE: Step = ['call', 'Spoke to the owner, wants to see prices.', 'spoke'];
const PRICES: Step = ['email', 'Sent the introduction and the price list.'];
const MET: Step = ['meeting', 'Met on site and walked through the offer.'];
const PARTNERS: Step = ['meeting', 'Coffee with both partners; they decide at month end.'];
const QUOTE: Step = ['email', 'Sent the quote.'];
const DISCOUNT: Step = ['call', 'Asked for a better price for two branches.', 'spoke'];

/** The contacts that lead to a status. The first one earns the credit. */
export const STORIES: Record<Exclude<LeadStatus, 'new'>, readonly (readonly Step[])[]> = {
  in_progress: [
    [MESSAGE],
    [SPOKE],
    [SPOKE, PRICES],
    [['email', 'Introduced ourselves and asked for ten minutes.'], NO_ANSWER],
    [MESSAGE, SPOKE, ['note', 'Closed on Mondays.']],
  ],
  recontact: [
    [['call', 'Busy before the weekend, call back next week.', 'call_back']],
    [MESSAGE, ['call', 'The owner is on holiday, call back after that.', 'call_back']],
    [PRICES, ['call', 'Has not read it yet, call back.', 'call_back']],
  ],
  qualified: [
    [SPOKE, ['note', 'New manager since spring.'], PRICES],
    [MESSAGE, SPOKE],
  ],
  proposal: [
    [SPOKE, MET, QUOTE],
    [MESSAGE, SPOKE, QUOTE],
  ],
  negotiation: [
    [SPOKE, MET, QUOTE, DISCOUNT],
    [PRICES, SPOKE, PARTNERS, DISCOUNT],
  ],
  closed_won: [
    [SPOKE, MET, QUOTE, ['call', 'Accepted the quote and starts next month.', 'spoke']],
    [PRICES, SPOKE, ['meeting', 'Signed on site.']],
  ],
  closed_lost: [
    [['call', 'Not interested, has a contract until next year.', 'not_interested']],
    [SPOKE, QUOTE, ['call', 'Chose the cheaper offer.', 'not_interested']],
    [MESSAGE, NO_ANSWER, ['call', 'The shop is given up at the end of the year.', 'not_interested']],
  ],
};

export const NOTES = [
  'Opens at 8, best reached before the lunch rush.',
  'The owner decides alone. Likes to be called, does not read e-mail.',
  'Under contract elsewhere until the end of the quarter; ask again then.',
  'Second branch planned for next year.\nInterested in the larger package once it is open.',
  'Asked for references from the same trade.',
];

/** What is planned next, by the status. */
export const PLANNED: Partial<Record<LeadStatus, readonly Step[]>> = {
  in_progress: [
    ['call', 'Ask whether the prices fit.'],
    ['call', ''],
    ['meeting', 'Show the samples.'],
  ],
  recontact: [
    ['call', 'Promised to call back.'],
    ['call', 'The owner is back from holiday then.'],
  ],
  proposal: [['call', 'Ask whether the quote fits.']],
  negotiation: [
    ['call', 'Answer on the better price.'],
    ['meeting', 'Sign, if both partners agree.'],
  ],
};
