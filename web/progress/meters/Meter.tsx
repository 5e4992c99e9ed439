import { clsx } from 'clsx';
import { Check, CircleAlert, Info } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { barPercent } from '#contract/progress/pace.ts';
import { formatCount } from '#web/kit/format.ts';
import { Tooltip } from '#web/kit/ui/overlays/Tooltip.tsx';
import { ProgressBar } from '#web/kit/ui/ProgressBar.tsx';
import { type PaceText, WHAT_COUNTS } from '#web/progress/pace-text.ts';

interface MeterProps {
  label: string;
  /** The accessible name, where it differs from the label. */
  name?: string;
  count: number;
  target: number;
  pace: PaceText;
  /** The state of the meter in one sentence, for screen readers. */
  valueText: string;
}

/** For the header: two short lines. */
export function CompactMeter({ label, name = label, count, target, pace, valueText }: MeterProps) {
  return (
    <MeterGroup name={name} className="flex min-w-0 flex-col gap-1 text-xs">
      {(helpButton) => (
        <>
          <div className="flex items-center gap-1">
            <ShortLabel>{label}</ShortLabel>
            {helpButton}
            <Count count={count} target={target} className="ml-auto" />
          </div>
          <div className="flex items-center gap-2">
            <ProgressBar
              label={name}
              percent={barPercent(count, target)}
              valueText={valueText}
              mark={toMark(pace, target)}
            />
            <Standing pace={pace} className="shrink-0" />
          </div>
        </>
      )}
    </MeterGroup>
  );
}

/** "Weekly Goal", of which narrow headers show the first word. */
function ShortLabel({ children }: { children: string }) {
  const [first, ...rest] = children.split(' ');
  return (
    <span className="truncate font-semibold">
      {first}
      <span className="xl:max-[100rem]:sr-only short:sm:sr-only"> {rest.join(' ')}</span>
    </span>
  );
}

interface FullMeterProps extends MeterProps {
  /** "this week", shown after the number. */
  period: string;
  /** Shown beside the pace. */
  aside: string;
}

/** For a card: the number in large type. */
export function FullMeter({ label, count, target, pace, valueText, period, aside }: FullMeterProps) {
  return (
    <MeterGroup name={label} className="flex flex-col gap-3">
      {(helpButton) => (
        <>
          <p className="flex flex-wrap items-baseline gap-x-2">
            <span className="text-3xl font-semibold tracking-tight tabular-nums">{formatCount(count)}</span>
            <span className="text-sm text-muted">
              of {formatCount(target)} contacts {period}
              <span className="ml-1 inline-block align-text-bottom">{helpButton}</span>
            </span>
          </p>
          <ProgressBar
            label={label}
            percent={barPercent(count, target)}
            valueText={valueText}
            mark={toMark(pace, target)}
          />
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-sm">
            <Standing pace={pace} />
            <span className="text-muted">{aside}</span>
          </div>
        </>
      )}
    </MeterGroup>
  );
}

/** The count expected by now is a mark on the bar, until the target is reached. */
const toMark = ({ standing, expected }: PaceText, target: number) =>
  standing === 'reached' ? undefined : barPercent(expected, target);

export function Count({ count, target, className }: { count: number; target: number; className?: string }) {
  return (
    <span className={clsx('shrink-0 whitespace-nowrap text-muted tabular-nums', className)}>
      <span className="font-semibold text-ink">{formatCount(count)}</span> / {formatCount(target)}
    </span>
  );
}

const STANDING_CLASS: Record<PaceText['standing'], string> = {
  ahead: 'text-good-text',
  behind: 'text-warn-text',
  reached: 'font-semibold text-good-text',
};

function Standing({ pace, className }: { pace: PaceText; className?: string }) {
  return (
    <p className={clsx('flex min-w-0 items-center gap-1 truncate', STANDING_CLASS[pace.standing], className)}>
      {pace.standing === 'reached' && <Check aria-hidden="true" className="size-4 shrink-0" />}
      {pace.amount && <span className="tabular-nums">{pace.amount} </span>}
      <span>{pace.text}</span>
    </p>
  );
}

interface MeterGroupProps {
  name: string;
  className: string;
  /** Receives the button that opens the tooltip by tap and by keyboard. */
  children: (helpButton: ReactNode) => ReactNode;
}

/** A meter with a tooltip that explains which status changes count. */
function MeterGroup({ name, className, children }: MeterGroupProps) {
  const [open, setOpen] = useState(false);
  const helpButton = (
    <button
      type="button"
      aria-label={`What counts toward: ${name}`}
      onClick={(event) => {
        // By default Radix closes the tooltip when its trigger is clicked.
        event.preventDefault();
        setOpen(true);
      }}
      className="hit-area grid size-4 shrink-0 place-items-center rounded-full text-muted hover:text-ink"
    >
      <Info aria-hidden="true" className="size-4" />
    </button>
  );
  return (
    <Tooltip content={WHAT_COUNTS} open={open} onOpenChange={setOpen}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls, and this shows numbers */}
      <div role="group" aria-label={name} className={className}>
        {children(helpButton)}
      </div>
    </Tooltip>
  );
}

/** As high as the meter, to avoid a layout shift. */
export function MeterLoading({ compact }: { compact: boolean }) {
  return (
    <div className={clsx('flex animate-pulse flex-col', compact ? 'gap-2' : 'gap-3')}>
      <span className="sr-only">Loading…</span>
      <div aria-hidden="true" className={clsx('rounded-sm bg-sunken', compact ? 'h-4 w-2/3' : 'h-10 w-1/2')} />
      <div aria-hidden="true" className="h-2 rounded-full bg-sunken" />
      {!compact && <div aria-hidden="true" className="h-5 w-1/3 rounded-sm bg-sunken" />}
    </div>
  );
}

export function MeterFailed({ compact, children }: { compact: boolean; children: string }) {
  return (
    <p className={clsx('flex items-start gap-1 text-danger-text', compact ? 'text-xs' : 'py-4 text-sm')}>
      <CircleAlert aria-hidden="true" className={clsx('size-4 shrink-0', !compact && 'mt-0.5')} />
      {children}
    </p>
  );
}
