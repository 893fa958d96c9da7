/** Reads which resources the events of now impact, with the connection of a command. */
import { HealthClient } from "@vigil/health-client/HealthClient"
import * as SubscriptionId from "@vigil/health-client/SubscriptionId"
import * as ImpactedLists from "@vigil/health-verdict/ImpactedLists"
import * as Effect from "effect/Effect"
import * as Failure from "../command/Failure.js"
import type { AnyEvent } from "../connection/AnyEvent.js"
import type { Health } from "../connection/Connection.js"
import * as Lists from "./Lists.js"

/** The events of a subscription. */
interface Listed {
  readonly list: Pick<Lists.Subject, "id">
  readonly events: ReadonlyArray<AnyEvent>
}

/** A list that fails keeps what `known` has of it. */
export const read = (
  { apiVersion, client, listTimeout }: Pick<Health, "apiVersion" | "client" | "listTimeout">,
  lists: ReadonlyArray<Listed>,
  now: number,
  known?: ImpactedLists.ImpactedLists,
) => {
  const listed = lists.flatMap(({ events, list }) => {
    const owner = SubscriptionId.make(list.id)
    return events.map((event) => ({ event, owner }))
  })
  return ImpactedLists.read(listed, {
    apiVersion,
    now,
    known,
    describe: Failure.plain,
    run: Lists.runLast({ listTimeout }, now),
  }).pipe(Effect.provideService(HealthClient, client))
}
