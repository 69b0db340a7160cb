const DAY = 86_400_000;

let dayText = "";
let dayNumber = Number.NaN;

/** Like `Date.toISOString`, but caches the date: most times of a batch are on the same day. */
export function isoTime(at: number): string {
  const day = Math.floor(at / DAY);
  if (!Number.isInteger(at) || !(at >= 0 && at < 253_402_300_800_000)) return new Date(at).toISOString();
  if (day !== dayNumber) {
    dayText = new Date(day * DAY).toISOString().slice(0, 11);
    dayNumber = day;
  }
  const ms = at - day * DAY;
  const [hours, minutes, seconds] = [
    Math.floor(ms / 3_600_000),
    Math.floor(ms / 60_000) % 60,
    Math.floor(ms / 1000) % 60,
  ];
  return `${dayText}${TWO[hours]}:${TWO[minutes]}:${TWO[seconds]}.${String(ms % 1000).padStart(3, "0")}Z`;
}

const TWO = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"));
