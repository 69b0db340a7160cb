// Preloaded: this Node says that it is an older one, and has no embedded database, as that one would.
import { registerHooks } from "node:module";

Object.defineProperty(process.versions, "node", { value: "22.12.0" });
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === "node:sqlite") throw new Error("No such built-in module: node:sqlite");
    return next(specifier, context);
  },
});
