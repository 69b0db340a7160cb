/** Something the user can mend; shown as one line. */
export class StartError extends Error {
  readonly code = "start";
  constructor(message: string) {
    super(message);
    this.name = "StartError";
  }
}
