import { Search } from 'lucide-react';
import { openFind } from '#web/find/find.data.ts';

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** Opens the palette. Looks like a search field on wide screens, and is an icon on phones. */
export function FindButton() {
  return (
    <button
      type="button"
      aria-keyshortcuts="Control+K Meta+K /"
      title="Find anything"
      onClick={() => openFind()}
      className="inline-flex size-11 shrink-0 items-center justify-center gap-2 rounded-md text-sm text-muted hover:bg-sunken md:size-9 min-[88rem]:w-auto min-[88rem]:whitespace-nowrap min-[100rem]:w-52 min-[100rem]:justify-start min-[88rem]:border min-[88rem]:border-control min-[88rem]:bg-paper min-[88rem]:px-3"
    >
      <Search aria-hidden="true" className="size-5 shrink-0 min-[88rem]:size-4" />
      <span className="max-[88rem]:sr-only">Find anything</span>
      <span
        aria-hidden="true"
        className="ml-auto rounded-sm border border-line bg-surface px-1.5 font-sans text-xs max-[100rem]:hidden"
      >
        {isApple ? '⌘ K' : 'Ctrl K'}
      </span>
    </button>
  );
}
