/** Runs the tests that the recipe "In tests" shows. */
import "../examples/faults.test.js"
import "../examples/layer-test.test.js"
import "../examples/retries.test.js"
import "../examples/sandbox.test.js"
