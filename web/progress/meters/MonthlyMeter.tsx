import { monthName as toMonthName, monthProgress as toMonthProgress } from '#contract/progress/calendar.ts';
import { formatCount } from '#web/kit/format.ts';
import { formatMonthlyPace, formatValueText } from '#web/progress/pace-text.ts';
import { toMeterState, useIsNewcomer, useMonthlyContacts, useToday } from '#web/progress/progress.data.ts';
import { CompactMeter, FullMeter, MeterFailed, MeterLoading } from './Meter.tsx';

interface Props {
  /** With count and target nothing is fetched. */
  count?: number;
  target?: number;
  /** Defaults to the current month. */
  monthName?: string;
  /** The elapsed percentage of the month; defaults to today's. */
  monthProgress?: number;
  label?: string;
  compact?: boolean;
}

const LABEL = 'Monthly Goal';

export function MonthlyMeter({ label = LABEL, compact = false, ...data }: Props) {
  const { count, target, monthName, monthProgress } = data;
  const hasData = count !== undefined && target !== undefined;
  const state = toMeterState(useMonthlyContacts({ enabled: !hasData }));
  const isNewcomer = useIsNewcomer();

  if (hasData) return <Ready {...{ count, target, monthName, monthProgress, label, compact }} />;
  if (state === 'loading') return <MeterLoading compact={compact} />;
  if (state === 'failed') return <MeterFailed compact={compact}>Unable to load monthly progress data</MeterFailed>;
  return <Ready {...state.contacts} {...(isNewcomer && { monthProgress: 0 })} label={label} compact={compact} />;
}

type ReadyProps = Required<Pick<Props, 'count' | 'target' | 'label' | 'compact'>> &
  Pick<Props, 'monthName' | 'monthProgress'>;

const STANDING_TEXT = { ahead: 'ahead of pace', behind: 'behind pace', reached: 'target reached' };

function Ready({ count, target, monthName, monthProgress, label, compact }: ReadyProps) {
  const today = useToday();
  const pace = formatMonthlyPace(count, target, monthProgress ?? toMonthProgress(today));
  const period = `in ${monthName ?? toMonthName(today)}`;
  const valueText = formatValueText(count, target, period, pace.text, STANDING_TEXT[pace.standing]);
  const meter = { label, count, target, pace, valueText };
  // The user form has a field called "Monthly Goal": the header's meter needs another accessible name.
  if (compact) return <CompactMeter {...meter} name={label === LABEL ? 'Goal for the month' : label} />;
  const aside =
    pace.standing === 'reached'
      ? 'Target reached'
      : `${formatCount(pace.expected)} expected by today, ${STANDING_TEXT[pace.standing]}`;
  return <FullMeter {...meter} period={period} aside={aside} />;
}
