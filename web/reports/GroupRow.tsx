import { FUNNEL_STEP_LABEL, type FunnelStep, funnelStep } from '#contract/leads/funnel-step.ts';
import type { GroupFigures } from '#contract/reports/reports.calls.ts';
import { SMALLEST_GROUP, toShare } from '#contract/reports/share.ts';
import { Row } from '#web/kit/ui/tables/Table.tsx';
import { CountLink } from './CountLink.tsx';
import { NowAndBefore } from './NowAndBefore.tsx';

export type ToPath = (key: string, step: FunnelStep, period: 'now' | 'before') => string;

interface RowProps {
  group: GroupFigures;
  name: string;
  toPath: ToPath;
  /** What the small figures are of, for screen readers. */
  compared: string;
  /** What the leads assigned add up to; undefined without a field. */
  formatSum: (figures: GroupFigures['before']) => string | undefined;
  className: string | undefined;
}

export function GroupRow({ group, name, toPath, compared, formatSum, className }: RowProps) {
  const { key, before } = group;
  const few = noteFew(group);
  const sum = formatSum(group);
  return (
    <Row className={className}>
      <th
        scope="row"
        className="min-w-36 px-4 py-2 text-left align-top font-medium max-sm:min-w-28 max-sm:px-3 print:min-w-0 [overflow-wrap:anywhere]"
      >
        {name}
        {few && <span className="block text-xs font-normal text-muted print:hidden">{few}</span>}
      </th>
      {funnelStep.options.map((step) => {
        const label = `${name}, ${FUNNEL_STEP_LABEL[step]}`;
        return (
          <NowAndBefore
            key={step}
            now={
              <>
                <CountLink href={toPath(key, step, 'now')} count={group[step]} of={label} />
                <Share step={step} figures={group} />
              </>
            }
            before={
              <>
                <CountLink href={toPath(key, step, 'before')} count={before[step]} of={`${label} ${compared}`} />
                <span className="print:hidden">
                  <Share step={step} figures={before} />
                </span>
              </>
            }
          />
        );
      })}
      {sum !== undefined && <NowAndBefore now={sum} before={formatSum(before)} />}
    </Row>
  );
}

/** In percent of the leads assigned to the group; none where they are too few. */
function Share({ step, figures }: { step: FunnelStep; figures: GroupFigures['before'] }) {
  if (step === 'assigned') return null;
  const share = toShare(figures[step], figures.assigned);
  return <span className="ml-2 inline-block w-10 text-muted">{share !== undefined && `${share}%`}</span>;
}

function noteFew({ assigned, before }: GroupFigures): string | undefined {
  if (assigned < SMALLEST_GROUP) return 'too few to compare';
  return before.assigned < SMALLEST_GROUP ? 'too few before to compare' : undefined;
}
