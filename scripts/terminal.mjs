/** `npm run test:terminal`: the tests in a real terminal, a window of tmux; a machine without one is told how to get it. */
import { isInstalled, runApart } from "./apart.mjs"

runApart({ name: "terminal", debian: "tmux", isThere: () => isInstalled("tmux") })
