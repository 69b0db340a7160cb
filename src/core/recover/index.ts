export { createLeakScanner, extractToolCalls } from "./extract.ts";
