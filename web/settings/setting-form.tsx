import { type FormEvent, type ReactNode, useState } from 'react';
import type { z } from 'zod';
import type { SettingChange } from '#contract/settings/settings.calls.ts';
import type { TeamSetting, TeamSettings } from '#contract/settings/team-settings.ts';
import { firstErrors } from '#web/kit/form.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { LastChange } from './LastChange.tsx';
import { useChangeTeamSettings } from './settings.data.ts';

/** Edits one setting, which is saved as a whole. */
export function useSettingForm<N extends TeamSetting>(
  name: N,
  saved: TeamSettings[N],
  schema: z.ZodType<TeamSettings[N]>,
) {
  /** Only while something is not saved: a change by another administrator does not replace what is typed. */
  const [edited, setEdited] = useState<TeamSettings[N]>();
  const [errors, setErrors] = useState<Record<string, string | undefined>>({});
  const save = useChangeTeamSettings();
  const rules = edited ?? saved;
  const forget = () => {
    setEdited(undefined);
    setErrors({});
  };
  const send = (value: TeamSettings[N] | null) => save.mutate({ [name]: value }, { onSuccess: forget });
  return {
    rules,
    errors,
    edited: edited !== undefined,
    busy: save.isPending,
    edit: (part: Partial<TeamSettings[N]>) => setEdited({ ...rules, ...part }),
    forget,
    reset: () => send(null),
    submit: (event: FormEvent) => {
      event.preventDefault();
      const parsed = schema.safeParse(rules);
      setErrors(parsed.success ? {} : firstErrors(parsed.error.issues));
      if (parsed.success && !save.isPending) send(parsed.data);
    },
  };
}

interface ActionsProps {
  form: Pick<ReturnType<typeof useSettingForm>, 'edited' | 'busy' | 'forget' | 'reset'>;
  saveLabel: string;
  change: SettingChange | null;
}

export function SettingActions({ form: { edited, busy, forget, reset }, saveLabel, change }: ActionsProps) {
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button type="submit" busy={busy} disabled={!edited}>
        {saveLabel}
      </Button>
      {edited && (
        <Button variant="ghost" onClick={forget}>
          Cancel
        </Button>
      )}
      {change && !change.reset && !edited && (
        <Button variant="secondary" busy={busy} onClick={reset}>
          Use the defaults
        </Button>
      )}
      <LastChange change={change} />
    </div>
  );
}

/** A setting with its default. */
export function WithDefault({ standard, children }: { standard: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      {children}
      <span className="text-sm text-muted">Default: {standard}</span>
    </div>
  );
}

/** What is no number is refused when it is saved. */
export const toWhole = (text: string) => (text.trim() === '' ? Number.NaN : Number(text));
export const fromWhole = (value: number) => (Number.isNaN(value) ? '' : value);
