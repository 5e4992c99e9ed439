/** The focus outline of an area whose input is not seen: it comes after the input, which has the class `peer`. */
export const FocusOutline = () => (
  <span
    aria-hidden="true"
    className="pointer-events-none absolute inset-0 rounded-[inherit] peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-pine"
  />
);
