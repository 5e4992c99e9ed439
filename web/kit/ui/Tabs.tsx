import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { segmentClass, segmentedClass } from '#web/kit/ui/forms/SegmentedControl.tsx';

export interface Tab {
  value: string;
  label: ReactNode;
  content: ReactNode;
}

interface Props {
  /** The name of the tab list for screen readers. */
  label: string;
  tabs: readonly Tab[];
  value: string;
  onValueChange: (value: string) => void;
  /** Hides the content of the other tabs instead of unmounting it, so that it keeps its state. */
  keepMounted?: boolean;
}

export function Tabs({ label, tabs, value, onValueChange, keepMounted = false }: Props) {
  return (
    <Radix.Root value={value} onValueChange={onValueChange}>
      <Radix.List aria-label={label} className="flex overflow-x-auto border-b border-line sm:gap-1">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className={
              'min-h-11 border-b-2 border-transparent text-sm font-medium text-muted hover:text-ink ' +
              // On narrow screens side by side, with labels on two lines where they do not fit.
              'max-sm:flex-auto max-sm:px-1 max-sm:leading-tight sm:px-3 sm:whitespace-nowrap ' +
              'focus-visible:-outline-offset-2 data-[state=active]:border-pine data-[state=active]:text-pine-text'
            }
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content
          key={tab.value}
          value={tab.value}
          className="pt-6"
          // Radix shows the content of every tab that is forced to mount.
          {...(keepMounted && { forceMount: true, hidden: tab.value !== value })}
        >
          {/* At once, before Radix does: a tab that is being left must not write its state to the URL of the next. */}
          {(keepMounted || tab.value === value) && tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}

// The parts, for a screen whose tab list is one control among others.

interface TabsRootProps {
  value: string;
  onValueChange: (value: string) => void;
  className?: string;
  children: ReactNode;
}

export function TabsRoot(props: TabsRootProps) {
  return <Radix.Root {...props} />;
}

interface TabListProps {
  label: string;
  tabs: readonly { value: string; label: string }[];
}

/** Looks like a segmented control. */
export function TabList({ label, tabs }: TabListProps) {
  return (
    <Radix.List aria-label={label} className={segmentedClass}>
      {tabs.map(({ value, label }) => (
        <Radix.Trigger key={value} value={value} className={segmentClass}>
          {label}
        </Radix.Trigger>
      ))}
    </Radix.List>
  );
}

export function TabPanel(props: { value: string; className?: string; children: ReactNode }) {
  return <Radix.Content {...props} />;
}
