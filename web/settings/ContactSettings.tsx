import { Link } from 'wouter';
import {
  type ContactMode,
  type ContactRules,
  contactRules,
  DEFAULT_CONTACT_RULES,
} from '#contract/contact-rules/contact-rules.ts';
import type { SettingChange } from '#contract/settings/settings.calls.ts';
import { Card, CardTitle } from '#web/kit/ui/Card.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { linkClass } from '#web/kit/ui/SafeLink.tsx';
import { SettingActions, useSettingForm } from './setting-form.tsx';

interface Props {
  saved: ContactRules;
  change: SettingChange | null;
}

const LABEL: Record<ContactMode, string> = { off: 'Off', warn: 'Warn', enforce: 'Enforce' };
const OPTIONS = Object.entries(LABEL).map(([value, label]) => ({ value, label }));

const MEANING: Record<ContactMode, string> = {
  off: 'Objections are recorded and kept, and shown nowhere else.',
  warn: 'The reason stands beside the number or the address. Using it takes an answer to a question.',
  enforce: 'The number or the address can be read, with the reason, and not be used.',
};

/** What happens where somebody asked not to be contacted. */
export function ContactSettings({ saved, change }: Props) {
  const form = useSettingForm('contactRules', saved, contactRules);
  const { rules, edit } = form;
  return (
    <Card id="contact-rules" className="scroll-mt-20">
      <CardTitle>Contact rules</CardTitle>
      <form noValidate className="flex flex-col gap-4" onSubmit={form.submit}>
        <p className="max-w-3xl text-sm text-muted">
          What happens where somebody{' '}
          <Link href="/objections" className={linkClass}>
            asked not to be contacted
          </Link>
          . Highstreet helps to keep to the rules; it gives no legal advice.
        </p>
        <SelectField
          className="max-w-md"
          label="Numbers and e-mail addresses with an objection"
          options={OPTIONS}
          value={rules.mode}
          hint={`Default: ${LABEL[DEFAULT_CONTACT_RULES.mode]}. ${MEANING[rules.mode]}`}
          // The value is one of the options above.
          onChange={({ target }) => edit({ mode: target.value as ContactMode })}
        />
        <SettingActions form={form} saveLabel="Save contact rules" change={change} />
      </form>
    </Card>
  );
}
