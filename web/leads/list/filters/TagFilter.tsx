import { clsx } from 'clsx';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { MAX_TAGS } from '#contract/leads/lead.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Checkbox } from '#web/kit/ui/forms/Checkbox.tsx';
import { lineControlClass } from '#web/kit/ui/forms/Field.tsx';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { Popover } from '#web/kit/ui/overlays/Popover.tsx';

interface Props {
  /** The options. */
  tags: string[];
  selected: string[];
  onChange: (tags: string[]) => void;
}

/** A multi-select: leads with any of the selected tags match. */
export function TagFilter({ tags, selected, onChange }: Props) {
  const [search, setSearch] = useState('');
  // A selected tag that no lead has any more can still be deselected.
  const all = [...new Set([...tags, ...selected])];
  const matching = all.filter((tag) => tag.toLowerCase().includes(search.trim().toLowerCase()));
  const value = selected.length ? selected.join(', ') : 'All tags';
  const full = selected.length >= MAX_TAGS;
  const toggle = (tag: string) =>
    onChange(selected.includes(tag) ? selected.filter((other) => other !== tag) : [...selected, tag]);

  return (
    <Popover
      label="Custom Tags"
      trigger={
        <button
          type="button"
          aria-label={`Custom Tags ${value}`}
          className={clsx(lineControlClass, 'flex min-w-0 items-center justify-between gap-2 px-3 text-left')}
        >
          <span className="truncate">{value}</span>
          <ChevronDown aria-hidden="true" className="size-4 shrink-0" />
        </button>
      }
    >
      <div className="flex flex-col gap-3">
        <TextField
          label="Search tags"
          labelHidden
          type="search"
          placeholder="Search tags"
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
        <ul aria-label="Tags" className="flex max-h-60 flex-col overflow-y-auto">
          {matching.map((tag) => (
            <li key={tag} className="flex min-h-9 items-center [overflow-wrap:anywhere]">
              <Checkbox
                label={tag}
                checked={selected.includes(tag)}
                disabled={full && !selected.includes(tag)}
                onChange={() => toggle(tag)}
              />
            </li>
          ))}
        </ul>
        <p role="status" className="text-sm text-muted empty:hidden">
          {matching.length === 0 && (all.length === 0 ? 'No lead has a tag yet.' : 'No tag matches.')}
          {matching.length > 0 && full && `At most ${MAX_TAGS} tags can be chosen.`}
        </p>
        <Button variant="secondary" size="sm" disabled={selected.length === 0} onClick={() => onChange([])}>
          Clear all
        </Button>
      </div>
    </Popover>
  );
}
