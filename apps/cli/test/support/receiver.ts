/** A webhook receiver, and a routes file for it. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type * as Notification from "@vigil/notify/Notification"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import { vi } from "vitest"
import { folder } from "./folder.js"

/** Starts a receiver that responds with `reply` and queues `key:state` of each request. `received` has the notifications. Tests unstub the environment. */
export const startReceiver = (reply: () => Reply.Reply = () => Reply.empty(204)) =>
  Effect.gen(function* () {
    const messages = yield* Queue.unbounded<string>()
    const received: Array<Notification.Notification> = []
    const server = yield* Faults.serve(({ body }) => {
      const { data } = JSON.parse(body)
      received.push(data)
      Queue.offerUnsafe(messages, `${data.key}:${data.state}`)
      return reply()
    })
    const path = yield* folder
    const routes = join(path, "routes.yaml")
    writeFileSync(
      routes,
      "sinks:\n  hook: { type: webhook, url: { env: HOOK_URL }, secret: { env: HOOK_SECRET } }\nroutes:\n  - to: hook\n",
    )
    vi.stubEnv("HOOK_URL", `${server.origin}/secret-path`)
    vi.stubEnv("HOOK_SECRET", `whsec_${Buffer.alloc(32, 7).toString("base64")}`)
    return { path, routes, state: join(path, "state"), message: Queue.take(messages), messages, received }
  })

export const event = (name: string, status = "Active", lastUpdateTime = new Date(0).toISOString()) => ({
  name,
  properties: { title: `title of ${name}`, eventLevel: "Error", status, lastUpdateTime },
})
