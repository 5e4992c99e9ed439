import { Search } from 'lucide-react';
import { openFind } from '#web/commands/dialogs.ts';

/** Opens the palette. Looks like a search field on wide screens, and is an icon on phones. */
export function FindButton() {
  return (
    <button
      type="button"
      aria-keyshortcuts="Control+K Meta+K /"
      title="Find anything"
      onClick={() => openFind()}
      className="inline-flex size-11 shrink-0 items-center justify-center gap-2 rounded-md text-sm text-muted hover:bg-sunken md:size-9 min-[100rem]:w-auto min-[100rem]:whitespace-nowrap min-[100rem]:border min-[100rem]:border-control min-[100rem]:bg-paper min-[100rem]:px-3"
    >
      <Search aria-hidden="true" className="size-5 shrink-0 min-[100rem]:size-4" />
      <span className="max-[100rem]:sr-only">Find anything</span>
    </button>
  );
}
