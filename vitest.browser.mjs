/** How the tests in a real browser run. */
import { apart } from "./vitest.apart.mjs"

export default apart("browser")
