/** Lets a process run the source: `node --import` it. The source imports `x.js` for `x.ts`. */
import { enableCompileCache, registerHooks } from "node:module"

enableCompileCache()
registerHooks({
  resolve: (specifier, context, next) => {
    try {
      return next(specifier, context)
    } catch {
      return next(specifier.replace(/\.js$/, ".ts"), context)
    }
  },
})
