/** `vigil mcp` without a token: it starts, says so in each answer, and finds the token that is stored meanwhile. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { Sandbox } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { folder } from "../support/folder.js"
import { bin, vigil } from "../support/subprocess.js"

it.live("answers with what to do without a token, and reads after a sign-in", () =>
  Effect.gen(function* () {
    const sandbox = yield* Sandbox.make({ changeEvery: undefined })
    const [{ id, name }] = sandbox.world.subscriptions
    const home = yield* folder
    mkdirSync(join(home, "vigil"))
    writeFileSync(
      join(home, "vigil", "config.json"),
      JSON.stringify({ healthBaseUrl: sandbox.baseUrl, subscription: id, subscriptions: { [name]: id } }),
      { mode: 0o600 },
    )
    const env = { HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, XDG_STATE_HOME: home, VIGIL_NO_KEYCHAIN: "1" }
    const client = new Client({ name: "test", version: "1.0.0" })
    const transport = new StdioClientTransport({ command: process.execPath, args: [bin, "mcp"], env })
    yield* Effect.acquireRelease(
      Effect.promise(() => client.connect(transport)),
      () => Effect.promise(() => client.close()),
    )
    const call = (tool: string, args: Readonly<Record<string, string>> = {}) =>
      Effect.promise(() => client.callTool({ name: tool, arguments: args }))
    const resource = `/subscriptions/${id}/resourceGroups/a/providers/Vendor.Compute/virtualMachines/b`
    for (const [tool, args] of [
      ["health_summary", {}],
      ["health_events", {}],
      ["health_event_details", { trackingId: "AB12-CD3" }],
      ["health_impacted_resources", { trackingId: "AB12-CD3" }],
      ["health_resources", {}],
      ["health_why", { resource }],
      ["health_why", { resource: "web-1" }],
      ["health_changes", {}],
      ["health_subscriptions", {}],
    ] as const) {
      const { structuredContent } = yield* call(tool, args)
      expect([tool, structuredContent]).toMatchObject([
        tool,
        {
          status: "unknown",
          subscriptions: {
            failed: [{ name, quotedReason: expect.stringMatching(/There is no token .* vigil auth login/) }],
          },
        },
      ])
    }
    const { code } = yield* Effect.promise(() =>
      vigil(["auth", "login", "--token-stdin"], {
        env: { ...env, HEALTH_ACCESS_TOKEN: "" },
        stdin: { text: Redacted.value(sandbox.accessToken) },
      }),
    )
    expect(code).toBe(0)
    expect((yield* call("health_summary")).structuredContent).toMatchObject({ status: "complete" })
  }),
)
