import { monthName as monthNameOf, monthProgress as monthProgressOf } from '#contract/progress/calendar.ts';
import { formatCount } from '#web/kit/format.ts';
import { CompactMeter, FullMeter } from './Meter.tsx';
import { MeterFailed, MeterLoading } from './MeterStates.tsx';
import { monthlyWords, spoken } from './pace-words.ts';
import { meterStateOf, useMonthlyContacts, useToday } from './progress.data.ts';

interface Props {
  /** With both given, nothing is fetched. */
  count?: number;
  target?: number;
  /** The calendar says these where they are not given. */
  monthName?: string;
  monthProgress?: number;
  label?: string;
  compact?: boolean;
}

const LABEL = 'Monthly Goal';

export function MonthlyMeter({ label = LABEL, compact = false, ...rest }: Props) {
  const { count, target, monthName, monthProgress } = rest;
  const given = count !== undefined && target !== undefined;
  const state = meterStateOf(useMonthlyContacts({ enabled: !given }));

  if (given) return <Ready {...{ count, target, monthName, monthProgress, label, compact }} />;
  if (state === 'loading') return <MeterLoading compact={compact} />;
  if (state === 'failed') return <MeterFailed compact={compact}>Unable to load monthly progress data</MeterFailed>;
  return <Ready {...state.numbers} label={label} compact={compact} />;
}

type ReadyProps = Required<Pick<Props, 'count' | 'target' | 'label' | 'compact'>> &
  Pick<Props, 'monthName' | 'monthProgress'>;

const PACE = { ahead: 'ahead of pace', behind: 'behind pace', reached: 'target reached' };

function Ready({ count, target, monthName, monthProgress, label, compact }: ReadyProps) {
  const today = useToday();
  const pace = monthlyWords(count, target, monthProgress ?? monthProgressOf(today));
  const period = `in ${monthName ?? monthNameOf(today)}`;
  const valueText = spoken(count, target, period, pace.words, PACE[pace.standing]);
  const meter = { label, count, target, pace, valueText };
  // A user's goal is a field of that name.
  if (compact) return <CompactMeter {...meter} name={label === LABEL ? 'Goal for the month' : label} />;
  const aside =
    pace.standing === 'reached'
      ? 'Target reached'
      : `${formatCount(pace.expected)} expected by today, ${PACE[pace.standing]}`;
  return <FullMeter {...meter} period={period} aside={aside} />;
}
