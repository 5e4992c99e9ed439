import { METRIC_LABEL, type Metric, type ScaleStep } from './metrics.ts';

/** What the colours of the map stand for. */
export function CoverageLegend({ metric, scale }: { metric: Metric; scale: ScaleStep[] }) {
  return (
    <div className="flex flex-col gap-1 text-xs text-muted">
      <ul aria-label={`Colours: ${METRIC_LABEL[metric]}`} className="flex flex-wrap gap-x-3 gap-y-1">
        {scale.map(({ from, label, colour }) => (
          <LegendItem key={from} label={label} colour={colour} />
        ))}
        <LegendItem label={metric === 'share' ? 'no leads' : 'none'} colour="var(--color-surface)" />
      </ul>
      <p>Approximate: cells around the centres of postcode districts.</p>
    </div>
  );
}

function LegendItem({ label, colour }: { label: string; colour: string }) {
  return (
    <li className="flex items-center gap-1">
      <span
        aria-hidden="true"
        className="size-4 rounded-sm border border-control forced-color-adjust-none"
        style={{ background: colour }}
      />
      {label}
    </li>
  );
}
