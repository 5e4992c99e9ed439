import { UserRoundPlus } from 'lucide-react';
import { Button } from '#web/kit/ui/Button.tsx';
import { useTakeLead } from './adding.data.ts';

/** Assigns a business without a lead to the viewer. */
export function TakeLeadButton({ business: { id, name } }: { business: { id: number; name: string } }) {
  const take = useTakeLead();
  return (
    <Button size="sm" variant="secondary" busy={take.isPending} onClick={() => take.mutate({ businessId: id })}>
      <UserRoundPlus aria-hidden="true" />
      Make this my lead<span className="sr-only">: {name}</span>
    </Button>
  );
}
