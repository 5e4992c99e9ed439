interface Shop {
  x: number;
  wall: string;
  height: number;
  stripes: string;
  door: 'left' | 'right';
}

const PAPER = '#f6f3ec';
const WINDOW = '#f4dfae';

const SHOPS: Shop[] = [
  { x: 0, wall: '#1c5a49', height: 190, stripes: '#e2593c', door: 'right' },
  { x: 130, wall: '#26695a', height: 235, stripes: '#d9a441', door: 'left' },
  { x: 260, wall: '#174c3d', height: 170, stripes: '#7fb9a0', door: 'right' },
  { x: 390, wall: '#225f50', height: 215, stripes: '#e2593c', door: 'left' },
  { x: 520, wall: '#1a5343', height: 180, stripes: '#d9a441', door: 'right' },
];

/** A row of shops in the evening. Decorative. */
export function Street({ className }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 640 270" preserveAspectRatio="xMinYMax slice" className={className}>
      {SHOPS.map((shop) => (
        <ShopFront key={shop.x} {...shop} />
      ))}
      <rect y="258" width="660" height="12" fill="#0b2d24" />
    </svg>
  );
}

function ShopFront({ x, wall, height, stripes, door }: Shop) {
  const roof = 258 - height;
  const doorX = door === 'left' ? 14 : 86;
  const windowX = door === 'left' ? 50 : 14;
  return (
    <g transform={`translate(${x} 0)`}>
      <rect y={roof} width="126" height={height} fill={wall} />
      <rect y={roof - 5} width="126" height="7" fill="#0b2d24" />
      {[22, 74].map((left) => (
        <rect
          key={left}
          x={left}
          y={roof + 24}
          width="30"
          height={Math.max(28, height - 158)}
          rx="2"
          fill={WINDOW}
          opacity="0.85"
        />
      ))}
      <rect x={windowX} y="186" width="62" height="50" rx="2" fill={WINDOW} />
      <rect x={doorX} y="186" width="28" height="72" rx="2" fill="#0b2d24" />
      <circle cx={doorX + 22} cy="224" r="2" fill={WINDOW} />
      <Awning stripes={stripes} />
    </g>
  );
}

function Awning({ stripes }: { stripes: string }) {
  return (
    <g transform="translate(3 150)">
      {Array.from({ length: 6 }, (_, stripe) => (
        <path
          // biome-ignore lint/suspicious/noArrayIndexKey: the stripes never move
          key={stripe}
          d={`M${stripe * 20} 0h20v24a10 10 0 0 1-20 0z`}
          fill={stripe % 2 ? PAPER : stripes}
        />
      ))}
    </g>
  );
}
