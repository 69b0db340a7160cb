// Preloaded to imitate an older Node: reports its version and has no embedded database.
import { registerHooks } from "node:module";

Object.defineProperty(process.versions, "node", { value: "22.12.0" });
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === "node:sqlite") throw new Error("No such built-in module: node:sqlite");
    return next(specifier, context);
  },
});
