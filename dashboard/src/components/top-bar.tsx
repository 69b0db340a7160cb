import { FilterBox } from "./filter-box.tsx";
import { LiveDot } from "./live-dot.tsx";
import { RangePicker } from "./range-picker.tsx";

export function TopBar() {
  return (
    <header class="top">
      <h1 class="brand">
        <img src="/favicon.svg" alt="" width="20" height="20" />
        Toolmend
      </h1>
      <FilterBox />
      <LiveDot />
      <RangePicker />
    </header>
  );
}
