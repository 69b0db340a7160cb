/** The remaining work, in units of about a nanosecond. When it is used up, the remaining comparisons count as equal. */
export interface Budget {
  left: number;
}
