// The wrapper as the published package runs it.
import { runWrapper } from "../../src/mcp/wrap/run-wrapper.ts";

process.exitCode = await runWrapper(process.argv.slice(2));
