import type { PushSettings } from '#contract/push/push.calls.ts';
import { PUSH_KIND_LABEL, PUSH_KINDS } from '#contract/push/push-message.ts';
import { FIRST_HOUR, LAST_HOUR } from '#contract/push/working-hours.ts';
import { Checkbox, Switch } from '#web/kit/ui/forms/Checkbox.tsx';
import { useChangePushSettings } from './push.data.ts';

/** What the viewer's devices show while Highstreet is closed. */
export function PushChoices({ settings }: { settings: PushSettings }) {
  const change = useChangePushSettings();
  // The new state, while it is being saved.
  const { kinds, details, atAnyTime } = { ...settings, ...(change.isPending && change.variables) };
  const save = (changed: Partial<PushSettings>) => !change.isPending && change.mutate(changed);
  return (
    <div className="mt-2 flex flex-col gap-4 border-l-2 border-line pl-4">
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-2 text-sm font-medium">My devices tell me when</legend>
        {PUSH_KINDS.map((kind) => (
          <Checkbox
            key={kind}
            label={PUSH_KIND_LABEL[kind]}
            checked={kinds.includes(kind)}
            onChange={({ target }) =>
              save({ kinds: PUSH_KINDS.filter((each) => (each === kind ? target.checked : kinds.includes(each))) })
            }
          />
        ))}
      </fieldset>
      <div className="flex flex-col gap-2">
        <Switch
          label="Name the business"
          checked={details}
          onChange={({ target }) => save({ details: target.checked })}
        />
        <p className="text-sm text-muted">
          {details
            ? 'Who sees the locked screen of your device reads the name and what it is about.'
            : 'A notification says that something is due, not with whom.'}
        </p>
      </div>
      <div className="flex flex-col gap-2">
        <Switch
          label="Also outside working hours"
          checked={atAnyTime}
          onChange={({ target }) => save({ atAnyTime: target.checked })}
        />
        <p className="text-sm text-muted">
          Otherwise what happens in the evening, at night, on weekends and on bank holidays is told together, on the
          next working day. Working hours are {FIRST_HOUR}:00 to {LAST_HOUR}:00.
        </p>
      </div>
    </div>
  );
}
