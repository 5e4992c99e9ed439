import { Download } from 'lucide-react';
import { Button } from '#web/kit/ui/Button.tsx';
import { Card, CardTitle } from '#web/kit/ui/Card.tsx';
import { useExportAccount } from './account.data.ts';

export function PersonalDataCard() {
  const save = useExportAccount();
  return (
    <Card>
      <CardTitle>Your data</CardTitle>
      <div className="flex flex-col items-start gap-4">
        <p className="text-sm text-muted">
          Everything that is stored about you, as a JSON file: your account, sessions, activities, comments, views and
          what the audit log says about you.
        </p>
        <Button variant="secondary" busy={save.isPending} onClick={() => save.mutate()}>
          {!save.isPending && <Download aria-hidden="true" />}
          Save your data
        </Button>
      </div>
    </Card>
  );
}
