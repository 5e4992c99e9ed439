import { clsx } from 'clsx';

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

const NAMES: Record<string, string> = {
  $mod: isApple ? '⌘' : 'Ctrl',
  Shift: 'Shift',
  ArrowDown: '↓',
  ArrowUp: '↑',
  Escape: 'Esc',
  Enter: '↵',
};

/** Keys in the notation of tinykeys, as people know them. "Shift+?" is "?": the keyboard decides how it is typed. */
const toSteps = (keys: string) =>
  (keys === 'Shift+?' ? '?' : keys)
    .split(' ')
    .map((step) => step.split('+').map((key) => NAMES[key] ?? key.toUpperCase()));

/** One combination or sequence of keys. */
export function Keys({ keys, className }: { keys: string; className?: string }) {
  return (
    <span className={clsx('inline-flex shrink-0 items-center gap-1 text-xs text-muted', className)}>
      {toSteps(keys).map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the steps never move
        <span key={index} className="inline-flex items-center gap-1">
          {index > 0 && 'then'}
          {step.map((key) => (
            <kbd
              key={key}
              className="inline-grid h-5 min-w-5 place-items-center rounded-sm border border-line bg-paper px-1 font-sans text-xs text-muted"
            >
              {key}
            </kbd>
          ))}
        </span>
      ))}
    </span>
  );
}
