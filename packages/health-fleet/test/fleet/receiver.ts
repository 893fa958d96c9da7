/** A webhook receiver that records accepted notifications, and fails if a test tells it to. */
import { Notification } from "@vigil/notify"
import { Faults, Reply } from "@vigil/sandbox"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const replies = { accept: Reply.empty(204), fail: Reply.empty(503), lost: Reply.reset, refuse: Reply.empty(400) }

type Decide = (notification: Notification.Notification) => keyof typeof replies

export interface Receiver {
  readonly name: string
  readonly url: string
  readonly secret: string
  /** Notifications with the reply `accept`, or `lost` (no response), in order, with repetitions. */
  readonly received: ReadonlyArray<Notification.Notification>
  /** IDs of refused notifications. */
  readonly refused: ReadonlySet<string>
  /** Sets the function that chooses later replies. */
  readonly reply: (decide: Decide) => void
}

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ data: Notification.Notification })))

/** Starts a receiver. `delay` returns how long to wait before a reply, in milliseconds. */
export const startReceiver = (name: string, delay: () => number = () => 0) =>
  Effect.gen(function* () {
    const received: Array<Notification.Notification> = []
    const refused = new Set<string>()
    let decide: Decide = () => "accept"
    const { origin } = yield* Faults.serve(({ body }) => {
      const { data } = decode(body)
      const reply = decide(data)
      if (reply === "accept" || reply === "lost") received.push(data)
      if (reply === "refuse") refused.add(data.id)
      return Effect.as(Effect.sleep(delay()), replies[reply])
    })
    const receiver: Receiver = {
      name,
      url: `${origin}/${name}`,
      secret: `whsec_${Buffer.alloc(32, name).toString("base64")}`,
      received,
      refused,
      reply: (next) => {
        decide = next
      },
    }
    return receiver
  })
