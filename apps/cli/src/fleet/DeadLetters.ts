/** `vigil fleet dead-letters`: lists the notifications that sinks rejected permanently, sends them again, or removes them. */
import type { DeadLetter } from "@vigil/health-fleet/DeadLetters"
import * as Notification from "@vigil/notify/Notification"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Command from "../command/Command.js"
import * as Letters from "../notify/shared/Letters.js"
import * as Output from "../output/Output.js"
import * as Database from "./shared/Database.js"

const decode = Schema.decodeOption(Schema.fromJsonString(Notification.Notification))

const toLetter = ({ at, notification, ...letter }: DeadLetter): Letters.Letter => ({
  ...letter,
  at: at.toISOString(),
  notification: Option.getOrUndefined(decode(notification)),
})

const ids = (letters: ReadonlyArray<Letters.Letter>) => letters.map(({ id }) => id)

export const command = Command.make({
  description: "List, resend or remove the dead letters of a fleet: notifications that a sink rejected permanently.",
  examples: ["vigil fleet dead-letters", "vigil fleet dead-letters --resend"],
  flags: { database: Database.flag, ...Letters.flags },
  run: function* ({ database, ...flags }) {
    yield* Letters.checkFlags(flags)
    const { DeadLetters, sql } = yield* Database.connect(database)
    const store = {
      list: Effect.map(DeadLetters.list, (letters) => letters.map(toLetter)),
      remove: (letters: ReadonlyArray<Letters.Letter>) => DeadLetters.remove(ids(letters)),
      resend: (letters: ReadonlyArray<Letters.Letter>) =>
        Effect.tap(
          Effect.map(DeadLetters.resend(ids(letters)), ({ length }) => length),
          (sent) => Output.note(`${Letters.count(sent)} will be sent again by a runner`),
        ),
    }
    yield* Effect.provide(Letters.run(flags, store), sql)
  },
})
