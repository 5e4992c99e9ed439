import { type AddingRules, addingRules, DEFAULT_ADDING } from '#contract/leads/adding/adding-rules.ts';
import type { SettingChange } from '#contract/settings/settings.calls.ts';
import { Card, CardTitle } from '#web/kit/ui/Card.tsx';
import { Checkbox } from '#web/kit/ui/forms/Checkbox.tsx';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { fromWhole, SettingActions, toWhole, useSettingForm, WithDefault } from './setting-form.tsx';

interface Props {
  saved: AddingRules;
  change: SettingChange | null;
}

/** Whether users and managers may add businesses and take leads, and how many. */
export function LeadSettings({ saved, change }: Props) {
  const form = useSettingForm('addingLeads', saved, addingRules);
  const { rules, edit, errors } = form;
  return (
    <Card>
      <CardTitle>Leads</CardTitle>
      <form noValidate className="flex flex-col gap-4" onSubmit={form.submit}>
        <p className="max-w-3xl text-sm text-muted">
          Administrators add businesses for anyone, without a limit. Users and managers add for themselves, where this
          is on: businesses by hand, and search results that are not assigned.
        </p>
        <WithDefault standard={DEFAULT_ADDING.allowed ? 'on' : 'off'}>
          <Checkbox
            label="Users may add and take leads"
            checked={rules.allowed}
            onChange={({ target }) => edit({ allowed: target.checked })}
          />
        </WithDefault>
        <TextField
          className="max-w-44"
          label="At most a day, each"
          inputMode="numeric"
          value={fromWhole(rules.perDay)}
          error={errors.perDay}
          hint={`Default: ${DEFAULT_ADDING.perDay}`}
          onChange={({ target }) => edit({ perDay: toWhole(target.value) })}
        />
        <WithDefault standard={DEFAULT_ADDING.inTerritory ? 'on' : 'off'}>
          <Checkbox
            label="Only in their territory, for those who have one"
            checked={rules.inTerritory}
            onChange={({ target }) => edit({ inTerritory: target.checked })}
          />
        </WithDefault>
        <SettingActions form={form} saveLabel="Save leads" change={change} />
      </form>
    </Card>
  );
}
