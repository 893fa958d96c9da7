/** Run before the tests in a real browser: finds the machine's own Chromium, and tells them by CHROMIUM_PATH. */
import { existsSync } from "node:fs"

/** Where Chromium is, if nobody says otherwise. */
const places = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
]

const said = process.env.CHROMIUM_PATH
const path = (said === undefined ? places : [said]).find((place) => existsSync(place))
if (path === undefined)
  throw new Error(
    "The browser tests need Chromium, and there is none: install it (apt-get install chromium), or set CHROMIUM_PATH to where it is.",
  )
process.env.CHROMIUM_PATH = path
