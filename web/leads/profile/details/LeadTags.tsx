import { X } from 'lucide-react';
import { type FormEvent, useRef } from 'react';
import { isReservedTag, MAX_TAG_LENGTH } from '#contract/leads/lead.ts';
import type { LeadRef } from '#contract/leads/lead-call.ts';
import { useViewer } from '#web/auth/session.data.ts';
import { useCommands } from '#web/commands/commands.ts';
import { readDraft, useTextDraft } from '#web/kit/storage/drafts.ts';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card, CardTitle } from '#web/kit/ui/Card.tsx';
import { TextField } from '#web/kit/ui/forms/Input.tsx';
import { useKnownTags } from '#web/leads/leads.data.ts';
import { useAddTag, useRemoveTag } from '#web/leads/profile/profile.data.ts';

interface Props {
  leadRef: LeadRef;
  uuid: string;
  tags: string[];
  mayChange: boolean;
}

export function LeadTags({ leadRef, uuid, tags, mayChange }: Props) {
  const removeTag = useRemoveTag(leadRef);
  const list = useRef<HTMLUListElement>(null);
  const customTags = tags.filter((tag) => !isReservedTag(tag));

  const confirmRemove = (tag: string) => {
    if (!window.confirm(`Are you sure you want to remove the tag "${tag}"?`)) return;
    removeTag.mutate(tag);
    // The pressed button disappears with its tag.
    list.current?.focus();
  };

  return (
    <Card>
      <CardTitle>Custom Tags</CardTitle>
      {customTags.length === 0 && <p className="text-sm text-muted">No tags yet.</p>}
      <ul ref={list} tabIndex={-1} aria-label="Custom tags" className="flex flex-wrap gap-2 empty:hidden">
        {customTags.map((tag) => (
          <li
            key={tag}
            className="inline-flex max-w-full items-center gap-1 rounded-md bg-pine-soft pl-2 text-sm text-pine-text"
          >
            <span className="py-1 [overflow-wrap:anywhere] last:pr-2">{tag}</span>
            {mayChange && (
              <button
                type="button"
                aria-label={`Remove tag ${tag}`}
                onClick={() => confirmRemove(tag)}
                className="hit-area grid min-h-8 w-8 shrink-0 place-items-center self-stretch rounded-md hover:bg-ink/10"
              >
                <X aria-hidden="true" className="size-3.5" />
              </button>
            )}
          </li>
        ))}
      </ul>
      {mayChange && <NewTag leadRef={leadRef} uuid={uuid} tags={tags} />}
    </Card>
  );
}

function NewTag({ leadRef, uuid, tags }: Omit<Props, 'mayChange'>) {
  const addTag = useAddTag(leadRef);
  const viewer = useViewer();
  const draftKey = `${uuid}.tag`;
  const [text, setText] = useTextDraft(viewer.id, draftKey);
  const field = useRef<HTMLInputElement>(null);
  const suggestions = suggestTags(useKnownTags(), tags, text);

  useCommands({ addTag: () => field.current?.focus() });

  const add = (tag: string) => {
    if (!tag || addTag.isPending) return;
    // The next tag may have been typed meanwhile.
    const clear = () => readDraft(viewer.id, draftKey)?.text === text && setText('');
    addTag.mutate(tag, { onSuccess: clear });
    field.current?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add(text.trim());
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
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <Button type="submit" variant="secondary" disabled={text.trim() === ''} busy={addTag.isPending}>
          Add
        </Button>
      </div>
      {suggestions.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: these are buttons, not fields
        <div role="group" aria-label="Suggested tags" className="flex flex-wrap gap-1">
          {suggestions.map((tag) => (
            <Button
              key={tag}
              variant="ghost"
              size="sm"
              className="max-w-full border border-dashed border-control px-2 [overflow-wrap:anywhere]"
              disabled={addTag.isPending}
              onClick={() => add(tag)}
            >
              {tag}
            </Button>
          ))}
        </div>
      )}
    </form>
  );
}

const MAX_SUGGESTIONS = 6;

/** The known tags that contain the text and are not on the lead yet. */
export function suggestTags(known: string[], present: string[], text: string): string[] {
  const taken = new Set(present.map((tag) => tag.toLowerCase()));
  const search = text.trim().toLowerCase();
  if (!search) return [];
  return known
    .filter((tag) => !isReservedTag(tag) && !taken.has(tag.toLowerCase()) && tag.toLowerCase().includes(search))
    .slice(0, MAX_SUGGESTIONS);
}
