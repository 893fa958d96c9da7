/** Starts a sandbox, and a webhook that accepts telemetry too, for scripts. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"

/** `folder` must be the package of the sandbox, or have it in its `node_modules`. Returns the environment variables that examples read. */
export const startSandbox = async (folder, options = {}) => {
  const code = `import { createServer } from "node:http"
    import { Sandbox } from "@vigil/sandbox"
    import { Effect, Redacted } from "effect"
    Effect.runFork(Effect.scoped(Effect.gen(function* () {
      const { accessToken, apiToken, baseUrl, world } = yield* Sandbox.make(${JSON.stringify(options)})
      const webhook = createServer((request, response) => response.end("ok"))
      yield* Effect.callback((resume) => { webhook.listen(0, "127.0.0.1", () => resume(Effect.void)) })
      console.log(JSON.stringify({
        HEALTH_BASE_URL: baseUrl, HEALTH_ACCESS_TOKEN: Redacted.value(accessToken), HEALTH_SUBSCRIPTION: world.subscriptions[0].id,
        APPMGMT_BASE_URL: baseUrl, APPMGMT_API_TOKEN: Redacted.value(apiToken),
        SERVICE_BASE_URL: baseUrl, SERVICE_TOKEN: Redacted.value(apiToken),
        SLACK_WEBHOOK_URL: "http://127.0.0.1:" + webhook.address().port,
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:" + webhook.address().port,
      }))
      yield* Effect.never
    })))`
  const sandbox = spawn(process.execPath, ["--input-type=module", "--eval", code], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
  })
  process.on("exit", () => sandbox.kill())
  const [line] = await once(createInterface(sandbox.stdout), "line")
  return JSON.parse(line)
}
