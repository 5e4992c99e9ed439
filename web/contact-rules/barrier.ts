import { mayContact } from '#contract/contact-rules/may-contact.ts';
import type { ObjectionFact } from '#contract/contact-rules/objection.ts';
import { useTimeZone } from '#web/auth/settings.data.ts';
import type { Barrier } from '#web/kit/ui/ContactLink.tsx';
import { isDialable } from '#web/kit/ui/contact-urls.ts';
import { useTeamSettings } from '#web/settings/settings.data.ts';
import { describeObjection, markOf, WHO_LIFTS } from './describe-objection.ts';

type Means = 'call' | 'email';

const ANYWAY: Record<Means, string> = { call: 'Call all the same?', email: 'Write all the same?' };

/** What stands against calling or writing; undefined where nothing does. */
export function useBarrier(means: Means, objections: readonly ObjectionFact[] = []): Barrier | undefined {
  const { contactRules: rules } = useTeamSettings();
  const timeZone = useTimeZone();
  const { because, overridable } = mayContact(means, { objections, rules });
  if (!because) return undefined;
  const said = describeObjection(because, timeZone ?? 'UTC');
  return {
    label: markOf(means),
    reason: `${said}. ${WHO_LIFTS}`,
    question: overridable ? `${said}. ${ANYWAY[means]}` : null,
  };
}

interface Called {
  phone: string | null;
  phoneIsWrong: boolean;
  /** An earlier version of the server sends none. */
  objections?: readonly ObjectionFact[];
}

/** Whether the number can be called: it is one, it is not known to be wrong, and nothing forbids it. */
export function useCall({ phone, phoneIsWrong, objections }: Called) {
  const barrier = useBarrier('call', objections);
  const isNumber = phone !== null && !phoneIsWrong && isDialable(phone);
  return { barrier, callable: isNumber && barrier?.question !== null };
}
