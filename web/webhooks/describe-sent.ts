import { formatCounted } from '#web/kit/format.ts';

export const describeSent = ({ count, more }: { count: number; more: boolean }) =>
  `${formatCounted(count, 'delivery is', 'deliveries are')} sent again${more ? '. There are more: send again once these are done' : ''}.`;
