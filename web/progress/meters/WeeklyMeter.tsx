import { weekProgress as toWeekProgress } from '#contract/progress/calendar.ts';
import { formatCount } from '#web/kit/format.ts';
import { formatValueText, formatWeeklyPace, joinPaceText } from '#web/progress/pace-text.ts';
import { toMeterState, useIsNewcomer, useToday, useWeeklyContacts } from '#web/progress/progress.data.ts';
import { CompactMeter, FullMeter, MeterFailed, MeterLoading } from './Meter.tsx';

interface Props {
  /** With count and target nothing is fetched. */
  count?: number;
  target?: number;
  /** The elapsed percentage of the week; defaults to today's. */
  weekProgress?: number;
  label?: string;
  compact?: boolean;
}

export function WeeklyMeter({ count, target, weekProgress, label = 'Weekly Goal', compact = false }: Props) {
  const hasData = count !== undefined && target !== undefined;
  const state = toMeterState(useWeeklyContacts({ enabled: !hasData }));
  const isNewcomer = useIsNewcomer();

  if (hasData) return <Ready {...{ count, target, weekProgress, label, compact }} />;
  if (state === 'loading') return <MeterLoading compact={compact} />;
  if (state === 'failed') return <MeterFailed compact={compact}>Unable to load progress data</MeterFailed>;
  return <Ready {...state.contacts} {...(isNewcomer && { weekProgress: 0 })} label={label} compact={compact} />;
}

type ReadyProps = Required<Pick<Props, 'count' | 'target' | 'label' | 'compact'>> & Pick<Props, 'weekProgress'>;

function Ready({ count, target, weekProgress, label, compact }: ReadyProps) {
  const today = useToday();
  const pace = formatWeeklyPace(count, target, weekProgress ?? toWeekProgress(today));
  const valueText = formatValueText(count, target, 'this week', joinPaceText(pace));
  const meter = { label, count, target, pace, valueText };
  if (compact) return <CompactMeter {...meter} />;
  return <FullMeter {...meter} period="this week" aside={`${formatCount(pace.expected)} expected by today`} />;
}
