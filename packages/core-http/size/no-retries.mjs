/** The schedule of no retries, alone. */
import * as Retry from "@vigil/core-http/Retry"
globalThis.retry = Retry.none
