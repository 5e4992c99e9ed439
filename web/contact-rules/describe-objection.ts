import { ASKED_LABEL, type ContactChannel, type ObjectionFact } from '#contract/contact-rules/objection.ts';
import { formatDate } from '#web/kit/format.ts';

/** What stands against it, in two or three words. */
const MARK: Record<ContactChannel, string> = {
  call: 'Do not call',
  email: 'Do not e-mail',
  text: 'Do not text',
  post: 'No post',
  visit: 'Do not visit',
};

export const WHO_LIFTS = 'Only an administrator can lift this.';

export const markOf = (channel: ContactChannel) => MARK[channel];

/** "Asked not to be called on Nov 3, 2026" */
export const describeObjection = ({ channel, since }: Pick<ObjectionFact, 'channel' | 'since'>, timeZone: string) =>
  `Asked ${ASKED_LABEL[channel]} on ${formatDate(since, timeZone)}`;
