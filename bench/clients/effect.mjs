/** What the process of an Effect program has imported: the indexes, as the READMEs import them. */
import "effect"
import "@effect/platform-node"
import "@vigil/health-client"
