/** `vigil events list`: the events of subscriptions, of a resource or of the tenant. */
import * as Effect from "effect/Effect"
import * as Command from "../command/Command.js"
import { UsageError } from "../kit/Failure.js"
import * as Flag from "../kit/Flag.js"
import * as Format from "../kit/Format.js"
import { note } from "../kit/Output.js"
import * as Connection from "../auth/Connection.js"
import * as CheckpointFile from "./CheckpointFile.js"
import * as Entry from "../event/Entry.js"
import * as EventTable from "../event/EventTable.js"
import * as ListRun from "./ListRun.js"
import * as Lists from "./Lists.js"
import * as Selection from "../event/Selection.js"
import * as Source from "../event/Source.js"
import * as Time from "../kit/Time.js"

const flags = {
  ...Connection.flags,
  ...Lists.flags,
  subscriptionsFile: Lists.subscriptionsFile,
  join: Flag.boolean("Merge the same event of several subscriptions"),
  since: Time.since("3d"),
  ...Selection.flags,
  limit: Flag.optional(Flag.integer("n", 1), "Stop after n events; with --checkpoint-file, after their page"),
  allowInvalid: Entry.allowInvalid,
  checkpointFile: Flag.optional(Flag.text("file"), "Save the position in this file and resume from it"),
  apiVersion: Source.apiVersion,
  columns: Format.columns,
  output: Format.flag,
}

const check = Effect.fnUntraced(function* (given: Command.Values<typeof flags>) {
  const { checkpointFile, join, limit, output, resource, tenantWide } = given
  yield* Lists.check(given)
  if (checkpointFile !== undefined && output === "json")
    return yield* new UsageError(
      "--checkpoint-file and --output json are mutually exclusive: a JSON array can't be resumed. Pass --output jsonl.",
    )
  if (!join) return
  if (tenantWide || resource !== undefined)
    return yield* new UsageError("--join requires subscriptions: omit --resource and --tenant-wide.")
  const other = checkpointFile !== undefined ? "--checkpoint-file" : limit !== undefined ? "--limit" : undefined
  if (other !== undefined)
    return yield* new UsageError(`--join and ${other} are mutually exclusive: merging requires complete lists.`)
})

const sandboxProblem =
  "belongs to the sandbox of an earlier command, which has ended. To resume lists, run vigil sandbox and the lines that it prints"

export const command = Command.make({
  description: `List the health events of subscriptions, of a resource or of the tenant. Without --since, the list of a subscription or the tenant has the events of the last three days. ${Selection.description} Of several subscriptions, one that fails is noted and does not stop the others.`,
  examples: [
    "vigil events list --sandbox",
    "vigil events list --sandbox --type ServiceIssue --status Active --since 12h",
    `vigil events list --sandbox --service "Blob Storage" --output jsonl --limit 10`,
    "vigil events list --sandbox --columns level,status,title",
    "vigil events list --sandbox --subscriptions-file subscriptions.txt --join --output csv",
  ],
  flags,
  run: function* (given) {
    yield* check(given)
    const { checkpointFile, join, limit = Infinity, output: format } = given
    const { filter, selects } = Selection.make(given)
    const connection = yield* Connection.health(given)
    const lists = yield* Lists.make(connection, given, {
      apiVersion: connection.apiVersion,
      filter,
      queryStartTime: given.since,
    })
    const isSeveral = join || given.subscriptionsFile !== undefined || lists.length > 1
    const name = join ? "subscriptions" : isSeveral ? "subscription" : undefined
    const definition = yield* Format.choose(EventTable.definition(name), format, given.columns)
    const ids = lists.map(({ id }) => id)
    const file = checkpointFile === undefined ? undefined : yield* CheckpointFile.open(checkpointFile, ids)
    if (file?.position !== undefined) {
      if (connection.sandbox !== undefined) return yield* CheckpointFile.refuse(file.path, sandboxProblem)
      yield* note(`Resuming after page ${file.position.checkpoint.pages} from ${JSON.stringify(file.path)}.`)
    }
    const shape = Entry.toShape(Format.shape(definition))
    const names = Selection.makeNames(given)
    const { allowInvalid } = given
    yield* ListRun.run({ lists, isSeveral, join, selects, names, limit, file, format, shape, allowInvalid })
  },
})
