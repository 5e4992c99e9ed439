/** The heading of one of the profile's cards. */
export function CardTitle({ children }: { children: string }) {
  return <h2 className="mb-4 text-lg font-semibold">{children}</h2>;
}
