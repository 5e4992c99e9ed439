import { weekProgress as weekProgressOf } from '#contract/progress/calendar.ts';
import { formatCount } from '#web/kit/format.ts';
import { CompactMeter, FullMeter } from './Meter.tsx';
import { MeterFailed, MeterLoading } from './MeterStates.tsx';
import { inWords, spoken, weeklyWords } from './pace-words.ts';
import { meterStateOf, useToday, useWeeklyContacts } from './progress.data.ts';

interface Props {
  /** With both given, nothing is fetched. */
  count?: number;
  target?: number;
  /** How much of the week has gone, in percent; the calendar says it otherwise. */
  weekProgress?: number;
  label?: string;
  compact?: boolean;
}

export function WeeklyMeter({ count, target, weekProgress, label = 'Weekly Goal', compact = false }: Props) {
  const given = count !== undefined && target !== undefined;
  const state = meterStateOf(useWeeklyContacts({ enabled: !given }));

  if (given) return <Ready {...{ count, target, weekProgress, label, compact }} />;
  if (state === 'loading') return <MeterLoading compact={compact} />;
  if (state === 'failed') return <MeterFailed compact={compact}>Unable to load progress data</MeterFailed>;
  return <Ready {...state.numbers} label={label} compact={compact} />;
}

type ReadyProps = Required<Pick<Props, 'count' | 'target' | 'label' | 'compact'>> & Pick<Props, 'weekProgress'>;

function Ready({ count, target, weekProgress, label, compact }: ReadyProps) {
  const today = useToday();
  const pace = weeklyWords(count, target, weekProgress ?? weekProgressOf(today));
  const meter = { label, count, target, pace, valueText: spoken(count, target, 'this week', inWords(pace)) };
  if (compact) return <CompactMeter {...meter} />;
  return <FullMeter {...meter} period="this week" aside={`${formatCount(pace.expected)} expected by today`} />;
}
