/** Decorative: the product's name stands beside it. */
export function LogoMark({ className }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" className={className}>
      <rect width="32" height="32" rx="7" fill="var(--color-front)" />
      <path d="M7 15v10h18V15" fill="var(--color-on-front)" />
      <path d="M14 25v-6h4v6" fill="var(--color-front)" />
      <path
        d="M5 7h22v7.5a2.75 2.75 0 0 1-5.5 0 2.75 2.75 0 0 1-5.5 0 2.75 2.75 0 0 1-5.5 0 2.75 2.75 0 0 1-5.5 0z"
        fill="var(--color-on-front)"
      />
      <path d="M5 7h5.5v7.5a2.75 2.75 0 0 1-5.5 0zm11 0h5.5v7.5a2.75 2.75 0 0 1-5.5 0z" fill="#e2593c" />
    </svg>
  );
}

export function Logo() {
  return (
    <span className="inline-flex items-center gap-2">
      <LogoMark className="size-8" />
      <span className="text-lg font-bold tracking-tight">Highstreet</span>
    </span>
  );
}
