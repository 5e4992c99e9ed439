interface Props {
  /** The moment, as the server writes it. */
  at: string;
  /** Undefined while it is being read: any other zone could show the wrong day first. */
  timeZone: string | undefined;
  format: (at: string, timeZone: string) => string;
  /** Reserves the room that the formatted text will take. */
  className: string;
}

/** A moment on the team's clock, which holds its place until the time zone is known. */
export function TeamTime({ at, timeZone, format, className }: Props) {
  return (
    <time dateTime={at} className={`inline-block ${className}`}>
      {timeZone && format(at, timeZone)}
    </time>
  );
}
