/** Work that may still be done, in steps of about a nanosecond. What is left to compare when it is used up counts as the same. */
export interface Budget {
  left: number;
}
