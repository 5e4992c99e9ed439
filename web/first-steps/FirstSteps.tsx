import { useQuery } from '@tanstack/react-query';
import { Check, Circle, X } from 'lucide-react';
import { type FirstStep, firstStep, getFirstSteps } from '#contract/first-steps/first-steps.calls.ts';
import { read } from '#web/kit/api.ts';
import { ButtonLink } from '#web/kit/ui/Button.tsx';
import { Card } from '#web/kit/ui/Card.tsx';
import { IconButton } from '#web/kit/ui/IconButton.tsx';
import { useChangeFirstSteps, useTeamSettingsQuery } from '#web/settings/settings.data.ts';

interface Step {
  title: string;
  text: string;
  /** Undefined for what is done on the screen below. */
  action?: { label: string; href: string };
}

const STEPS: Record<FirstStep, Step> = {
  places: {
    title: 'Choose where businesses come from',
    text: 'Load real places (npm run places:load), set the key of a provider, or try the sample below.',
  },
  people: {
    title: 'Add two people',
    text: 'Those who will work the leads.',
    action: { label: 'Add people', href: '/users' },
  },
  search: {
    title: 'Search for businesses',
    text: 'By type and place, in the form below.',
  },
  assign: {
    title: 'Assign a business',
    text: 'On its search result below. It is then a lead of that person.',
  },
  today: {
    title: 'Look at Today',
    text: 'What each person does next, every morning.',
    action: { label: 'See your day', href: '/today' },
  },
};

/** What a new team does first, each step ticked once it is done; nothing when all are, or it was dismissed. */
export function FirstSteps() {
  const { data: team } = useTeamSettingsQuery();
  const settings = team?.settings.firstSteps;
  const { data } = useQuery({ ...read(getFirstSteps), staleTime: 0, enabled: settings?.dismissed === false });
  const change = useChangeFirstSteps();
  if (!settings || settings.dismissed || !data) return null;
  const count = firstStep.options.filter((step) => data.done[step]).length;
  if (count === firstStep.options.length) return null;
  return (
    <section aria-labelledby="first-steps" className="mb-4">
      <Card className="flex flex-col gap-3">
        <div className="flex items-center justify-between gap-2">
          <h2 id="first-steps" className="text-lg font-semibold">
            First steps{' '}
            <span className="font-normal text-muted">
              {count} of {firstStep.options.length} done
            </span>
          </h2>
          <IconButton
            size="sm"
            icon={X}
            label="Dismiss the first steps"
            onClick={() => change.mutate({ ...settings, dismissed: true })}
          />
        </div>
        <ol className="grid gap-x-6 gap-y-2 lg:grid-cols-5">
          {firstStep.options.map((step) => (
            <StepItem key={step} step={STEPS[step]} done={data.done[step]} />
          ))}
        </ol>
      </Card>
    </section>
  );
}

function StepItem({ step, done }: { step: Step; done: boolean }) {
  const { title, text, action } = step;
  const Icon = done ? Check : Circle;
  return (
    <li className="flex items-start gap-2">
      <Icon
        role="img"
        aria-label={done ? 'Done' : 'Not done'}
        className={done ? 'mt-0.5 size-5 shrink-0 text-pine-text' : 'mt-0.5 size-5 shrink-0 text-muted'}
      />
      <div className="flex min-w-0 flex-col items-start gap-1 text-sm">
        <p className={done ? 'text-muted' : 'font-semibold'}>{title}</p>
        {!done && (
          <>
            <p className="text-muted">{text}</p>
            {action && (
              <ButtonLink variant="secondary" size="sm" href={action.href}>
                {action.label}
              </ButtonLink>
            )}
          </>
        )}
      </div>
    </li>
  );
}
