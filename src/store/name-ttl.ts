/** How long an id remembers its name for results that arrive without their call. */
export const NAME_TTL_MS: number = 60 * 60 * 1000;
