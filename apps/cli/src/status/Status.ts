/** `vigil status`: whether anything is wrong. */
import * as Tenant from "@vigil/health-client/Tenant"
import * as Limits from "@vigil/health-schema/Limits"
import * as Picture from "@vigil/health-verdict/Picture"
import type * as Summary from "@vigil/health-verdict/Summary"
import * as Subject from "@vigil/health-verdict/Subject"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Command from "../command/Command.js"
import { CommandError } from "../command/CommandError.js"
import * as Shell from "../command/Shell.js"
import * as Connection from "../connection/Connection.js"
import * as Subscriptions from "../connection/Subscriptions.js"
import * as Lists from "../lists/Lists.js"
import * as Pictures from "../lists/Pictures.js"
import * as Format from "../output/Format.js"
import * as WhyCommand from "../resources/shared/WhyCommand.js"
import * as Answer from "./Answer.js"
import * as Screen from "./Screen.js"
import * as StatusJson from "./StatusJson.js"

/** How much of `--list-timeout` the token may take, and how much it and the first lists together. The lists that follow have the rest. */
const shares = { token: 0.5, first: 0.75 }

const flags = {
  ...Connection.flags,
  subscription: Subscriptions.repeated,
  subscriptionsFile: Subscriptions.file,
  withoutTenant: Connection.withoutTenant,
  apiVersion: Connection.apiVersion,
  output: Format.flag,
}

/** Those of a command for the same subscriptions. */
const subscriptionFlags = ({ subscription, subscriptionsFile }: Flags): ReadonlyArray<string> => [
  ...subscription.flatMap((one) => Shell.flag("--subscription", one)),
  ...Shell.flag("--subscriptions-file", subscriptionsFile),
]

type Flags = Command.Values<typeof flags>

/** The command that shows an issue. A banner has no ID. */
const showIssue = ({ event: { name }, subjects }: Summary.Issue, connection: Connection.Health): string => {
  const since = ["--since", `${Limits.activeDaysBack}d`]
  return name
    ? Subscriptions.showEvent(connection, subjects.find(Subject.isSubscription), ...since)(name)
    : Shell.vigil(connection, "events list", [], ["--type", "EmergingIssues", ...since])
}

/** The command that finds out more. */
const nextOf = (
  { picture, summary }: Answer.Answer,
  connection: Connection.Health,
  given: Flags,
): string | undefined => {
  const [worst] = summary.causes.flatMap(({ resources }) => resources)
  const all = summary.all.map(({ status }) => status)
  const why = worst && WhyCommand.make(connection, given, { ...worst, all, count: picture.statuses.length })
  if (why !== undefined) return why
  const issue = summary.issues.find(({ reach }) => reach !== "elsewhere")
  if (issue !== undefined) return showIssue(issue, connection)
  if (summary.verdict === "fine") return undefined
  const isOutside = Picture.outside(picture).some(({ subject }) => subject === Tenant.tenant)
  if (isOutside && Picture.failed(picture).length === 0)
    return Shell.vigil(connection, "status", [], [...subscriptionFlags(given), "--without-tenant"])
  return given.baseUrl === undefined
    ? Shell.vigil(connection, "doctor")
    : Shell.vigil(connection, "status", [], subscriptionFlags(given))
}

/** Reads all lists by the time that is left, also if the program of the token or the service does not respond. */
const read = Effect.fnUntraced(function* (given: Flags) {
  yield* Subscriptions.checkFlags(given)
  const start = yield* Clock.currentTimeMillis
  const connection = yield* Connection.health(given).pipe(
    Effect.timeoutOrElse({
      duration: Duration.times(given.listTimeout, shares.token),
      orElse: () =>
        new CommandError(
          "unknown",
          "Not known whether anything is wrong: the token was not ready in time. Run vigil doctor.",
        ),
    }),
  )
  const subscriptions = yield* Subscriptions.several(connection, given)
  const limit = Duration.toMillis(given.listTimeout)
  const picture = yield* Pictures.read(
    connection,
    { subscriptions },
    {
      withStatuses: true,
      run: Lists.runUntil(start + limit * shares.first),
      runLast: Lists.runUntil(start + limit),
    },
  )
  return { answer: Answer.make(picture, connection.names), connection }
})

export const command = Command.make({
  description:
    "Say whether anything is wrong: which resources do not work, and by what, which active issues hit or may hit them, and what could not be read. Exit codes: 0 nothing is wrong and all was read, 10 something is wrong, 13 not known; others are errors. It answers within --list-timeout.",
  examples: ["vigil status --sandbox", "vigil status --sandbox --subscription Staging --output json"],
  flags,
  run: function* (given) {
    const { answer, connection } = yield* read(given)
    const next = nextOf(answer, connection, given)
    const { why } = yield* Effect.promise(() => import("@vigil/health-report/StatusText"))
    const json = StatusJson.make(answer, next, why)
    const { causes, issues, resources, subscriptions, unread, ...facts } = json
    yield* Format.one(given.output, {
      lines: (width, color) => Screen.lines(answer, { width, color, next, why }),
      record: {
        ...facts,
        subscriptions: subscriptions.length,
        ...resources,
        causes: causes.length,
        issues: issues.length,
        unread: unread.length,
      },
      json,
    })
    // The output has said why.
    if (json.status !== "fine") yield* new CommandError(json.status, "")
  },
})
