/** How many times longer than usual tests may take: `npm run test:load` runs them beside busy processes. */
const SLOWNESS = Number(process.env.TOOLMEND_TEST_SLOWNESS ?? 1);

/** A time limit that is only there to end a test that hangs. */
export function patient(ms: number): number {
  return ms * SLOWNESS;
}
