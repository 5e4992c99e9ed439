interface Props {
  /** ISO 8601. */
  at: string;
  /** Undefined while it is loading: another zone could show the wrong day first. */
  timeZone: string | undefined;
  format: (at: string, timeZone: string) => string;
  /** Reserves the width of the formatted text. */
  className: string;
}

/** A time in the team's time zone; an empty box until the zone is known. */
export function TeamTime({ at, timeZone, format, className }: Props) {
  return (
    <time dateTime={at} className={`inline-block ${className}`}>
      {timeZone && format(at, timeZone)}
    </time>
  );
}
