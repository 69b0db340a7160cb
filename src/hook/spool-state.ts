/** What hooks wrote to files: a server that is well reads every one of them within a second or two. */
export interface SpoolState {
  readonly waiting: number;
  /** Set aside because nobody could read them; so many are kept, and no more. */
  readonly broken: number;
}
