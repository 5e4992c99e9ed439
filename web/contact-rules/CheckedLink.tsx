import type { ComponentProps } from 'react';
import type { ObjectionFact } from '#contract/contact-rules/objection.ts';
import { ContactButton, ContactIcon, ContactLink } from '#web/kit/ui/ContactLink.tsx';
import { useBarrier } from './barrier.ts';

interface Checked {
  /** Those that stand on it. An earlier version of the server sends none. */
  objections: readonly ObjectionFact[] | undefined;
}

type LinkProps = Omit<ComponentProps<typeof ContactLink>, 'barrier'>;
type IconProps = Omit<ComponentProps<typeof ContactIcon>, 'barrier'>;

/** A number or an address, which can be used unless somebody objected. */
export function CheckedLink({ objections, ...link }: LinkProps & Checked) {
  // Hardly anybody objects: long lists read no settings for the others.
  return objections?.length ? <LinkWithBarrier objections={objections} {...link} /> : <ContactLink {...link} />;
}

function LinkWithBarrier({ objections, ...link }: LinkProps & { objections: readonly ObjectionFact[] }) {
  return <ContactLink barrier={useBarrier(link.means, objections)} {...link} />;
}

/** The same as an icon; nothing where it must not be used. */
export function CheckedIcon({ objections, ...icon }: IconProps & Checked) {
  return objections?.length ? <IconWithBarrier objections={objections} {...icon} /> : <ContactIcon {...icon} />;
}

function IconWithBarrier({ objections, ...icon }: IconProps & { objections: readonly ObjectionFact[] }) {
  return <ContactIcon barrier={useBarrier(icon.means, objections)} {...icon} />;
}

type ButtonProps = Omit<ComponentProps<typeof ContactButton>, 'means'>;

/** A button that calls; its caller knows the barrier by `useCall`. */
export const CallButton = (props: ButtonProps) => <ContactButton means="call" {...props} />;
