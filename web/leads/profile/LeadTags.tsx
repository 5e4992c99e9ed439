import { X } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { isReservedTag, MAX_TAG_LENGTH } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card } from '#web/kit/ui/Card.tsx';
import { TextField } from '#web/kit/ui/Input.tsx';
import { useKnownTags } from '#web/leads/lead-reads.data.ts';
import { useAddTag, useRemoveTag } from '#web/leads/leads.data.ts';
import { suggestTags } from '#web/leads/suggest-tags.ts';
import { CardTitle } from './CardTitle.tsx';

interface Props {
  name: LeadRef;
  tags: string[];
  mayChange: boolean;
}

export function LeadTags({ name, tags, mayChange }: Props) {
  const remove = useRemoveTag(name);
  const list = useRef<HTMLUListElement>(null);
  const own = tags.filter((tag) => !isReservedTag(tag));

  const ask = (tag: string) => {
    if (!window.confirm(`Are you sure you want to remove the tag "${tag}"?`)) return;
    remove.mutate(tag);
    // The button that was pressed goes away with its tag.
    list.current?.focus();
  };

  return (
    <Card>
      <CardTitle>Custom Tags</CardTitle>
      {own.length === 0 && <p className="text-sm text-muted">No tags yet.</p>}
      <ul ref={list} tabIndex={-1} aria-label="Custom tags" className="flex flex-wrap gap-2 empty:hidden">
        {own.map((tag) => (
          <li
            key={tag}
            className="inline-flex max-w-full items-center gap-1 rounded-md bg-pine-soft pl-2.5 text-sm text-pine-text"
          >
            <span className="py-1.5 [overflow-wrap:anywhere] last:pr-2.5">{tag}</span>
            {mayChange && (
              <button
                type="button"
                aria-label={`Remove tag ${tag}`}
                onClick={() => ask(tag)}
                className="grid min-h-8 w-8 shrink-0 place-items-center self-stretch rounded-md hover:bg-ink/10"
              >
                <X aria-hidden="true" className="size-3.5" />
              </button>
            )}
          </li>
        ))}
      </ul>
      {mayChange && <NewTag name={name} tags={tags} />}
    </Card>
  );
}

function NewTag({ name, tags }: { name: LeadRef; tags: string[] }) {
  const add = useAddTag(name);
  const [typed, setTyped] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const suggested = suggestTags(useKnownTags(), tags, typed);

  const put = (tag: string) => {
    if (!tag || add.isPending) return;
    add.mutate(tag, { onSuccess: () => setTyped('') });
    field.current?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    put(typed.trim());
  };

  return (
    <form onSubmit={submit} className="mt-4 flex flex-col gap-3">
      <div className="flex items-end gap-2">
        <TextField
          ref={field}
          className="min-w-0 flex-1"
          label="New tag"
          labelHidden
          placeholder="Add a tag..."
          autoComplete="off"
          maxLength={MAX_TAG_LENGTH}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <Button type="submit" variant="secondary" disabled={typed.trim() === ''} busy={add.isPending}>
          Add
        </Button>
      </div>
      {suggested.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: these are buttons, not fields
        <div role="group" aria-label="Suggested tags" className="flex flex-wrap gap-1.5">
          {suggested.map((tag) => (
            <Button
              key={tag}
              variant="ghost"
              size="sm"
              className="max-w-full border border-dashed border-control px-2 [overflow-wrap:anywhere]"
              disabled={add.isPending}
              onClick={() => put(tag)}
            >
              {tag}
            </Button>
          ))}
        </div>
      )}
    </form>
  );
}
