import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { coalesce } from "./coalesce.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it("runs immediately, and merges a thousand requests during the pause into one more run", async () => {
  const task = vi.fn(async () => undefined);
  const request = coalesce(task, () => 1000);
  request();
  expect(task).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(10);
  for (let n = 0; n < 1000; n++) request();
  await vi.advanceTimersByTimeAsync(980);
  expect(task).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(20);
  expect(task).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(task).toHaveBeenCalledTimes(2);
});

it("never runs concurrently, and runs again for a request made during a run", async () => {
  let running = 0;
  const task = vi.fn(async () => {
    running++;
    expect(running).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 5000));
    running--;
  });
  const request = coalesce(task, () => 1000);
  request();
  await vi.advanceTimersByTimeAsync(4000);
  request();
  await vi.advanceTimersByTimeAsync(1500);
  expect(task).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(500);
  expect(task).toHaveBeenCalledTimes(2);
});
