import { useViewer } from '#web/auth/session.data.ts';
import { COMMAND_GROUPS, COMMAND_NAMES, COMMANDS, type CommandName, hasCommand } from '#web/commands/commands.ts';
import { Switch } from '#web/kit/ui/forms/Checkbox.tsx';
import { Dialog } from '#web/kit/ui/overlays/Dialog.tsx';
import { Keys } from './Keys.tsx';
import { setSingleKeys, useSingleKeys } from './single-keys.ts';

/** Every command that has keys, and the switch for those without Ctrl or ⌘. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const viewer = useViewer();
  const on = useSingleKeys(viewer.id);
  const names = COMMAND_NAMES.filter((name) => COMMANDS[name].keys.length > 0 && hasCommand(viewer.role, name));
  return (
    <Dialog open onClose={onClose} title="Keyboard shortcuts" description="Shortcuts do not run while you type.">
      <div className="flex flex-col gap-6">
        <div className="rounded-md bg-paper px-4 py-3">
          <Switch
            label="Keyboard shortcuts"
            aria-describedby="single-keys-hint"
            checked={on}
            onChange={({ target }) => setSingleKeys(viewer.id, target.checked)}
          />
          <p id="single-keys-hint" className="mt-1 text-xs text-muted">
            Switch single keys off if you use speech input or press keys by accident. <Keys keys="$mod+k" /> always
            works.
          </p>
        </div>
        {COMMAND_GROUPS.map((group) => (
          <section key={group}>
            <h3 className="mb-1 text-sm font-semibold">{group}</h3>
            <dl className="divide-y divide-line text-sm">
              {names
                .filter((name) => COMMANDS[name].group === group)
                .map((name) => (
                  <Shortcut key={name} name={name} />
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function Shortcut({ name }: { name: CommandName }) {
  const { label, keys } = COMMANDS[name];
  return (
    <div className="flex min-h-9 items-center justify-between gap-4 py-1">
      <dt>{label}</dt>
      <dd className="flex flex-wrap items-center justify-end gap-2 text-xs text-muted">
        {keys.map((combination, index) => (
          <span key={combination} className="inline-flex items-center gap-2">
            {index > 0 && 'or'}
            <Keys keys={combination} />
          </span>
        ))}
      </dd>
    </div>
  );
}
