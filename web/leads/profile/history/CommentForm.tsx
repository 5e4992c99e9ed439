import { addComment } from '#contract/leads/comments/comments.calls.ts';
import { Form, useForm } from '#web/kit/form.tsx';
import { Button } from '#web/kit/ui/Button.tsx';
import { TextareaField } from '#web/kit/ui/forms/Input.tsx';
import type { useCommentDraft } from './comments.data.ts';

interface Props {
  draft: ReturnType<typeof useCommentDraft>;
  /** Who else reads the comment. */
  hint: string;
  onAdded: () => void;
}

export function CommentForm({ draft, hint, onAdded }: Props) {
  const form = useForm(addComment.byId.body, {
    defaults: { text: '' },
    onSubmit: async (body) => {
      await draft.save(body);
      onAdded();
    },
  });
  // The field is controlled by the draft.
  const { defaultValue: _, ...text } = form.field('text');
  const busy = form.busy || draft.saving;
  return (
    <Form
      onSubmit={form.submit}
      aria-label="Add comment"
      className="flex w-full flex-col gap-3 rounded-md bg-paper p-4"
    >
      <TextareaField
        label="Comment"
        hint={hint}
        rows={2}
        {...text}
        value={draft.text}
        onChange={(event) => {
          text.onChange(event);
          draft.changeText(event.target.value);
        }}
      />
      <Button type="submit" variant="secondary" busy={busy} className="self-end max-sm:w-full">
        {busy ? 'Adding...' : 'Add Comment'}
      </Button>
    </Form>
  );
}
