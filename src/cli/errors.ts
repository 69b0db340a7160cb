/** Something the user can mend; shown as one line. Exit code 2 where the command itself was called wrong. */
export class CliError extends Error {
  readonly code = "start";
  readonly exitCode: 1 | 2;
  constructor(message: string, exitCode: 1 | 2 = 1) {
    super(message);
    this.name = "CliError";
    this.exitCode = exitCode;
  }
}
