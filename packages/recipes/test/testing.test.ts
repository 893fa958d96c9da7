/** The tests that a recipe shows are tests: they run here. */
import "../examples/faults.test.js"
import "../examples/layer-test.test.js"
import "../examples/retries.test.js"
import "../examples/sandbox.test.js"
