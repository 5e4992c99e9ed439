import { startScreen } from '#contract/auth/settings.calls.ts';
import { useChangeStart, useSettings } from '#web/auth/settings.data.ts';
import { setDensity, useDensity } from '#web/kit/style/density.ts';
import { Card, CardTitle } from '#web/kit/ui/Card.tsx';
import { SegmentedControl } from '#web/kit/ui/forms/SegmentedControl.tsx';
import { SelectField } from '#web/kit/ui/forms/Select.tsx';
import { ThemeSwitch } from '#web/kit/ui/ThemeSwitch.tsx';

/** How Highstreet starts, for this user, and looks, in this browser. */
export function AppearanceCard() {
  return (
    <Card>
      <CardTitle>Start and appearance</CardTitle>
      <div className="flex flex-wrap items-end gap-x-8 gap-y-4">
        <StartAt />
        <div className="flex flex-col items-start gap-1">
          <span aria-hidden="true" className="text-sm font-medium">
            Theme of this browser
          </span>
          <ThemeSwitch />
        </div>
        <DensityChoice />
      </div>
    </Card>
  );
}

const DENSITIES = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' },
] as const;

/** Fingers always have the room they need. */
function DensityChoice() {
  const density = useDensity();
  return (
    <div className="flex flex-col items-start gap-1">
      <span aria-hidden="true" className="text-sm font-medium">
        Density with a mouse
      </span>
      <SegmentedControl label="Density with a mouse" options={DENSITIES} value={density} onValueChange={setDensity} />
    </div>
  );
}

const STARTS = [
  { value: '', label: 'As usual' },
  { value: 'today', label: 'Today' },
  { value: 'leads', label: 'Leads' },
  { value: 'search', label: 'Search' },
];

/** The screen behind the logo, and after signing in. */
function StartAt() {
  const { data: settings } = useSettings();
  const change = useChangeStart();
  if (!settings) return null;
  const chosen = change.isPending ? change.variables : settings.startAt;
  return (
    <SelectField
      className="w-44"
      label="Start with"
      options={STARTS}
      value={chosen ?? ''}
      onChange={({ target }) => change.mutate(startScreen.safeParse(target.value).data ?? null)}
    />
  );
}
