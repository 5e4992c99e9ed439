import { type FormEvent, type ReactNode, useState } from 'react';
import { type AddingRules, addingRules, DEFAULT_ADDING } from '#contract/leads/adding/adding-rules.ts';
import type { SettingChange } from '#contract/settings/settings.calls.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card, CardTitle } from '#web/kit/ui/Card.tsx';
import { Checkbox } from '#web/kit/ui/forms/Checkbox.tsx';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { LastChange } from './LastChange.tsx';
import { useChangeTeamSettings } from './settings.data.ts';

interface Props {
  saved: AddingRules;
  change: SettingChange | null;
}

/** Whether users and managers may add businesses and take leads, and how many. */
export function LeadSettings({ saved, change }: Props) {
  /** Only while something is not saved: a change by another administrator does not replace what is typed. */
  const [edited, setEdited] = useState<AddingRules>();
  const [error, setError] = useState<string>();
  const save = useChangeTeamSettings();
  const rules = edited ?? saved;

  const edit = (part: Partial<AddingRules>) => setEdited({ ...rules, ...part });
  const forget = () => {
    setEdited(undefined);
    setError(undefined);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const parsed = addingRules.safeParse(rules);
    setError(parsed.error?.issues[0]?.message);
    if (parsed.success && !save.isPending) save.mutate({ addingLeads: parsed.data }, { onSuccess: forget });
  };

  return (
    <Card>
      <CardTitle>Leads</CardTitle>
      <form noValidate className="flex flex-col gap-4" onSubmit={submit}>
        <p className="max-w-3xl text-sm text-muted">
          Administrators add businesses for anyone, without a limit. Users and managers add for themselves, where this
          is on: businesses by hand, and search results that are not assigned.
        </p>
        <Setting standard={DEFAULT_ADDING.allowed ? 'on' : 'off'}>
          <Checkbox
            label="Users may add and take leads"
            checked={rules.allowed}
            onChange={({ target }) => edit({ allowed: target.checked })}
          />
        </Setting>
        <TextField
          className="max-w-44"
          label="At most a day, each"
          inputMode="numeric"
          value={Number.isNaN(rules.perDay) ? '' : rules.perDay}
          error={error}
          hint={`Default: ${DEFAULT_ADDING.perDay}`}
          onChange={({ target }) => edit({ perDay: target.value.trim() === '' ? Number.NaN : Number(target.value) })}
        />
        <Setting standard={DEFAULT_ADDING.inTerritory ? 'on' : 'off'}>
          <Checkbox
            label="Only in their territory, for those who have one"
            checked={rules.inTerritory}
            onChange={({ target }) => edit({ inTerritory: target.checked })}
          />
        </Setting>
        <div className="flex flex-wrap items-center gap-2">
          <Button type="submit" busy={save.isPending} disabled={!edited}>
            Save leads
          </Button>
          {edited && (
            <Button variant="ghost" onClick={forget}>
              Cancel
            </Button>
          )}
          {change && !edited && (
            <Button
              variant="secondary"
              busy={save.isPending}
              onClick={() => save.mutate({ addingLeads: null }, { onSuccess: forget })}
            >
              Use the defaults
            </Button>
          )}
          <LastChange change={change} />
        </div>
      </form>
    </Card>
  );
}

/** A setting with its default. */
function Setting({ standard, children }: { standard: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      {children}
      <span className="text-sm text-muted">Default: {standard}</span>
    </div>
  );
}
