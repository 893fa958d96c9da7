/** Delivers the changes of a watch to the sinks of routes, and stores what waits beside its state file. */
import { basename, dirname } from "node:path"
import * as HealthEvent from "@vigil/health-schema/HealthEvent"
import * as TerminalText from "@vigil/health-text/TerminalText"
import * as Delivery from "@vigil/notify/Delivery"
import type { DeliveryStoreError } from "@vigil/notify/DeliveryStoreError"
import * as Notification from "@vigil/notify/Notification"
import * as ResourceNotification from "@vigil/notify/ResourceNotification"
import type * as Routes from "@vigil/notify/Routes"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Schedule from "effect/Schedule"
import { CommandError } from "../../command/CommandError.js"
import type { Change } from "../../connection/AnyEvent.js"
import { FileError } from "../../files/FileError.js"
import * as FileStore from "../../files/FileStore.js"
import { UsageError } from "../../flags/UsageError.js"
import * as Output from "../../output/Output.js"
import * as Problems from "../../output/Problems.js"
import type { SubscriptionNames } from "../../settings/SubscriptionNames.js"
import * as PublicUrl from "./PublicUrl.js"
import * as RoutesFile from "./RoutesFile.js"

const describe = ({ lastError, pending, sink }: Delivery.SinkStatus): string =>
  TerminalText.line(
    `Could not notify ${sink}: ${lastError === undefined ? "" : `${lastError.message} `}${pending} waiting`,
  )

/** Fails if notifications wait for a retry, or became dead letters. */
export const failIfUndelivered = ({ status }: Delivery.Service): Effect.Effect<void, CommandError> =>
  Effect.flatMap(status, (all) => {
    const failed = all.filter(({ deadLettered, retrying }) => deadLettered > 0 || retrying > 0)
    const messages = failed.map((one) => `${describe(one)}, ${Output.plural(one.deadLettered, "dead letter")}.`)
    return failed.length > 0 ? new CommandError("incomplete", messages.join(" ")) : Effect.void
  })

/** A first poll finds many events that are over. Sinks that know an event got its resolution before it disappears. */
const isSkipped = ({ state, status }: Notification.Notification, { _tag }: Change): boolean =>
  _tag === "Appeared" ? state === "resolved" : _tag === "Disappeared" && HealthEvent.isResolvedStatus(status)

/** `isStored`: whether dead letters are kept in a file. */
const problems = ({ status }: Delivery.Service, isStored: boolean): Effect.Effect<ReadonlyArray<Problems.Problem>> =>
  Effect.map(status, (all) =>
    all.flatMap((one) => {
      const { deadLettered, lastError, sink } = one
      const failure = { text: `${describe(one)}.`, end: `Notifications to ${sink} are delivered again.` }
      const advice = isStored ? "See vigil notify dead-letters." : "To keep dead letters, pass --state-file."
      const letters = {
        text: `${Output.plural(deadLettered, "dead letter")} for ${sink} since the start. ${advice}`,
        // Never noted: the count never falls.
        end: `There are no dead letters for ${sink} any more.`,
      }
      return [...(lastError === undefined ? [] : [failure]), ...(deadLettered > 0 ? [letters] : [])]
    }),
  )

type Explain = (error: DeliveryStoreError) => FileError | UsageError

/** The files of notifications: one per sink, beside the state file of a watch, and one for the changes of a large one. Their names have that of the state file and the sink. */
export const openFiles = Effect.fnUntraced(function* (stateFile: string, { sinks }: Routes.Routes) {
  const prefix = `${stateFile}.notifications.`
  /** No sink has a name with this character. */
  const changes = "~changes"
  const found = yield* Effect.flatMap(FileSystem.FileSystem, (files) => files.readDirectory(dirname(prefix))).pipe(
    Effect.orElseSucceed(() => []),
  )
  // Files of sinks that were renamed may have notifications. A file that ends in `.part` is not complete.
  const others = found.filter(
    (name) => name.startsWith(basename(prefix)) && !/\.part$|~/.test(name.slice(basename(prefix).length)),
  )
  const names = new Set([...Object.keys(sinks), ...others.map((name) => name.slice(basename(prefix).length))])
  const pathOf = (key: string) => {
    const [kind = "", ...name] = key.split("/")
    return `${prefix}${name.join("/")}${kind === "delivery" ? "" : changes}`
  }
  const store = yield* FileStore.make(
    [...names].flatMap((name) => [`delivery/${name}`, `delivery-changes/${name}`]),
    pathOf,
  )
  const explain: Explain = ({ cause, key, message, operation, reason }) => {
    const file = pathOf(key)
    if (reason === "unreadable")
      return new UsageError(
        `The file ${JSON.stringify(file)} is not a state file of vigil. Pass another --state-file, or remove this one to start again.`,
      )
    return cause === undefined
      ? new UsageError(message)
      : new FileError({ file, reason: cause.message, attempt: operation === "load" ? "read" : "written" })
  }
  return { explain, store }
})

export const makeDelivery = (options: Delivery.Options, explain: Explain) =>
  Effect.mapError(Delivery.make(options), (error) =>
    error._tag === "DeliveryStoreError" ? explain(error) : new UsageError(error.message),
  )

export interface Options {
  readonly routes: string
  readonly stateFile: string | undefined
  /** The time between polls, and between attempts to store a notification. */
  readonly every: Duration.Duration
  /** Whether a change fails if it cannot be stored. Otherwise, it is stored later. */
  readonly once: boolean
  readonly names: SubscriptionNames
  /** The page of the links. */
  readonly publicUrl: URL | undefined
}

/** Ends with its scope: due notifications are then sent for at most ten seconds. */
export const make = Effect.fnUntraced(function* ({ every, names, once, publicUrl, routes: file, stateFile }: Options) {
  const output = yield* Output.Output
  const routes = RoutesFile.withIds(yield* RoutesFile.read(file), names)
  const sinks = yield* RoutesFile.sinks(routes)
  const files = stateFile === undefined ? undefined : yield* openFiles(stateFile, routes)
  const explain = files?.explain ?? (({ message }: DeliveryStoreError) => new UsageError(message))
  const delivery = yield* makeDelivery({ sinks, routes, store: files?.store }, explain)
  const link = PublicUrl.linkOf(publicUrl)
  const isTemporary = ({ isRetryable }: DeliveryStoreError) => !once && isRetryable
  /** Changes that wait together fail together. */
  const storing = Problems.untilOver(output.note, "vigil: Notifications are stored again.")
  const noteRetry = (error: DeliveryStoreError) =>
    storing.fail(`vigil: ${explain(error).message} It is tried again every ${Duration.format(every)}.`)
  const send = (notification: Notification.Notification) =>
    delivery.deliver(notification).pipe(
      Effect.tapError((error) => (isTemporary(error) ? noteRetry(error) : Effect.void)),
      Effect.retry({ while: isTemporary, schedule: Schedule.spaced(every) }),
      Effect.tap(storing.succeed),
      Effect.mapError((error) => explain(error)),
    )
  yield* Effect.forkScoped(Problems.follow(problems(delivery, files !== undefined), "30 seconds"))
  return {
    /** What happened to the notifications of each sink. */
    status: delivery.status,
    /** Completes when the change is stored for its sinks. */
    change: (change: Change, subscription: string) => {
      const subscriptionName = names.nameOf(subscription)
      const notification = Notification.fromChange(change, { subscription, subscriptionName, link })
      return isSkipped(notification, change) ? Effect.void : send(notification)
    },
    /** The same for a change of a resource. */
    resource: (change: ResourceNotification.Change, subscription: string) => {
      const notification = ResourceNotification.fromChange(change, {
        subscription,
        subscriptionName: names.nameOf(subscription),
        link: publicUrl && PublicUrl.resourcesLink(publicUrl),
      })
      return notification === undefined ? Effect.void : send(notification)
    },
    /** Waits for the notifications of `--once`. Fails if some were not delivered. */
    end: Effect.andThen(delivery.flush, failIfUndelivered(delivery)),
  }
})
