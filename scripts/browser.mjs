/** `npm run test:browser`: the tests in a real browser; a machine without one is told how to get it. */
import { isInstalled, runApart } from "./apart.mjs"

runApart({
  name: "browser",
  debian: "chromium",
  isThere: () =>
    process.env.CHROMIUM_PATH !== undefined ||
    isInstalled("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"),
})
