/** How the tests in a real terminal run. */
import { apart } from "./vitest.apart.mjs"

export default apart("terminal")
