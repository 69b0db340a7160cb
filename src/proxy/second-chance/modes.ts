export const SECOND_CHANCE_MODES = ["off", "on"] as const;
/** `on`: a turn in which no call can work is asked for again. */
export type SecondChanceMode = (typeof SECOND_CHANCE_MODES)[number];
