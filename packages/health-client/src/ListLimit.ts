/** Ends lists that take too long, or that never end. What was read before is kept. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"

const seconds = (duration: Duration.Duration): string =>
  Duration.format(Duration.seconds(Math.ceil(Duration.toSeconds(duration))))

/** A list was ended early: after `timeout`, or because it continues after this many entries. @category errors @since 0.4.0 */
export class ListLimit extends Schema.TaggedError<ListLimit>()("ListLimit", {
  limit: Schema.Union([
    Schema.Struct({ timeout: Schema.Duration }),
    Schema.Struct({ entries: Schema.Int, pages: Schema.Int }),
  ]),
}) {
  /** Whether the same list may be complete in more time. */
  get isRetryable(): boolean {
    return "timeout" in this.limit
  }
  override get message(): string {
    if ("timeout" in this.limit && !Duration.isPositive(this.limit.timeout))
      return "The list was not read, because no time was left. Try again or allow more time."
    if ("timeout" in this.limit)
      return `The list was not complete within ${seconds(this.limit.timeout)}. Try again or allow more time.`
    const { entries, pages } = this.limit
    return `The list continues after ${entries} entries on ${pages} pages, and was ended. Narrow the query.`
  }
}

const late = (timeout: Duration.Duration) => new ListLimit({ limit: { timeout } })

/** Runs a list, and fails with `ListLimit` if it takes longer. @category combinators @since 0.4.0 */
export const within =
  (timeout: Duration.Duration) =>
  <A, E, R>(list: Effect.Effect<A, E, R>): Effect.Effect<A, E | ListLimit, R> =>
    Effect.timeoutOrElse(list, { duration: timeout, orElse: () => late(timeout) })

/** An error of a list: `reason` is that of a request. */
interface ListError {
  readonly isRetryable: boolean
  readonly reason?: unknown
}

/** Whether the service would refuse other lists of the same subscription as well. */
const isRefusal = ({ isRetryable, reason }: ListError): boolean =>
  isRetryable || Predicate.isTagged(reason, "Forbidden") || Predicate.isTagged(reason, "Unauthorized")

/** With the lists that are read at once, fewer than those that stop all requests of the client. */
const maxRefused = 8

/**
 * Returns a function that runs lists which an answer can do without. Once the service refuses one of a key, such as a subscription, or does not respond, the
 * others of the same key fail with the same error, without a request. After 8 keys in a row, so do those of all.
 * @category combinators @since 0.4.0
 */
export const untilRefused = <E extends ListError>() => {
  const refusals = new Map<string, E>()
  let last: E | undefined
  return <R>(list: Effect.Effect<void, E, R>, key: string): Effect.Effect<void, E, R> =>
    Effect.suspend(() => {
      const refusal = refusals.get(key) ?? (refusals.size < maxRefused ? undefined : last)
      if (refusal !== undefined) return Effect.fail(refusal)
      return Effect.tapError(list, (error) =>
        Effect.sync(() => {
          if (isRefusal(error)) refusals.set(key, (last = error))
        }),
      )
    })
}

/** How much is kept of a list. @category models @since 0.4.0 */
export interface Size {
  readonly entries: number
  readonly pages: number
}

/** The most that an answer keeps of a list: more than the resources of a large subscription, and about 200 MB of events. @category constants @since 0.4.0 */
export const standard: Size = { entries: 35_000, pages: 1_000 }

interface Entries {
  readonly items: ReadonlyArray<unknown>
  readonly invalid: ReadonlyArray<unknown>
}

/** Emits the pages of a list, and fails with `ListLimit` if it continues after this many, or takes longer. @category combinators @since 0.4.0 */
export const atMost =
  (size: Size, timeout = Duration.infinity) =>
  <P extends Entries, E, R>(pages: Stream.Stream<P, E, R>): Stream.Stream<P, E | ListLimit, R> =>
    Stream.suspend(() => {
      const read = { entries: 0, pages: 0 }
      return Stream.mapEffect(pages, (page) => {
        if (read.pages >= size.pages || read.entries >= size.entries) return new ListLimit({ limit: { ...read } })
        read.pages += 1
        read.entries += page.items.length + page.invalid.length
        return Effect.succeed(page)
      }).pipe(Stream.interruptWhen(Effect.andThen(Effect.sleep(timeout), late(timeout))))
    })
