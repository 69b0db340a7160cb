import { PageHead } from "../../components/page-parts.tsx";
import { Heatmap } from "./heatmap.tsx";
import { Leaks } from "./leaks.tsx";
import { Ranking } from "./ranking.tsx";

/** Which model fails with which tool, how providers compare, and who writes calls as text. */
export function ModelsPage() {
  return (
    <>
      <PageHead title="Models and providers" />
      <div class="columns">
        <Ranking title="Models" by="model" />
        <Ranking title="Providers" by="provider" />
      </div>
      <Heatmap />
      <Leaks />
    </>
  );
}
